"""What runs on a Node beside its dataplane: keeps in contact, applies, reads back, reports."""
