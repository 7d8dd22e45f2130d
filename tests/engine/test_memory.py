"""The store in memory, fact by fact, as an API server has them; `test_memory_model` runs it against a model."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import RFC_4122, UUID

import pytest
from attrs import evolve

from juneau.engine.admission import Operation
from juneau.engine.errors import AlreadyExists, BadRequest, Conflict, Forbidden, Gone, Invalid, NotFound
from juneau.engine.objects import AnyObject, Key
from juneau.engine.store import Event, EventType

BOX = Key("Box", "home", "tea")
SHELF = Key("Shelf", "", "oak")


def told(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.type.value, event.obj.name) for event in events]


async def names(store: Any, kind: str) -> list[str]:
    return [obj.name for obj in (await store.list(kind)).objects]


def test_a_new_object_gets_its_metadata_from_the_store(toys: Any) -> None:
    """Creation fills in uid, version, generation 1 and the clock's time, whatever the writer claims of them."""

    async def story() -> None:
        store = toys.store()
        shelf = await store.create(toys.new_shelf(uid="mine", generation=7, deletion_timestamp=5.0))
        metadata = shelf.metadata
        assert (metadata.resource_version, metadata.generation) == ("1", 1)
        assert (metadata.creation_timestamp, metadata.deletion_timestamp) == (1000.0, None)
        assert metadata.uid not in ("", "mine")
        assert await store.get(SHELF) is shelf

    asyncio.run(story())


def test_uids_do_not_depend_on_other_objects(toys: Any) -> None:
    """The uid of an object follows from its key and incarnation alone, and each incarnation has its own."""

    async def story() -> None:
        one, other = toys.store(), toys.store()
        await other.create(toys.new_shelf("elm"))
        first = (await one.create(toys.new_shelf())).metadata.uid
        assert (UUID(first).version, UUID(first).variant, str(UUID(first))) == (5, RFC_4122, first)
        assert (await other.create(toys.new_shelf())).metadata.uid == first
        await one.delete(SHELF)
        assert (await one.create(toys.new_shelf())).metadata.uid != first

    asyncio.run(story())


def test_versions_are_counted_across_kinds(toys: Any) -> None:
    """Each write of any Kind takes the next number, and a listing carries the newest."""

    async def story() -> None:
        store = toys.store()
        await store.create(toys.new_namespace())
        assert (await store.create(toys.new_shelf())).metadata.resource_version == "2"
        assert (await store.create(toys.new_box())).metadata.resource_version == "3"
        assert (await store.list("Shelf")).resource_version == "3"

    asyncio.run(story())


def test_generation_counts_changes_of_spec_only(toys: Any) -> None:
    """Labels and status leave the generation alone; spec and the beginning of deletion count it up."""

    async def story() -> None:
        store = toys.store()
        await store.create(toys.new_namespace())
        box = await store.create(toys.new_box(finalizers=("hold",)))
        box = await store.update(box.with_metadata(labels={"a": "b"}))
        box = await store.update_status(box.with_status(phase="Ready"))
        assert box.metadata.generation == 1
        assert (await store.update(box.with_spec(number=2))).metadata.generation == 2
        await store.delete(BOX)
        assert (await store.get(BOX)).metadata.generation == 3

    asyncio.run(story())


def test_spec_and_status_are_written_apart(toys: Any) -> None:
    """An update leaves status as it is, an update of status leaves everything else."""

    async def story() -> None:
        store = toys.store()
        await store.create(toys.new_namespace())
        box = await store.create(toys.new_box())
        box = await store.update(box.with_spec(number=2).with_status(phase="Ready"))
        assert (box.spec.number, box.status.phase) == (2, "")
        box = await store.update_status(
            box.with_spec(number=3).with_metadata(labels={"a": "b"}).with_status(phase="Ready")
        )
        assert (box.spec.number, box.metadata.labels, box.status.phase) == (2, {}, "Ready")

    asyncio.run(story())


def test_a_write_that_changes_nothing_leaves_no_trace(toys: Any) -> None:
    """It returns the stored object: no event, no new version."""

    async def story() -> None:
        store = toys.store()
        await store.create(toys.new_namespace())
        box = await store.create(toys.new_box())
        watch = store.watch("Box", box.metadata.resource_version)
        assert await store.update(evolve(box, spec=evolve(box.spec), metadata=evolve(box.metadata))) is box
        assert await store.update_status(evolve(box, status=evolve(box.status))) is box
        assert watch.drain() == []
        assert (await store.list("Box")).resource_version == box.metadata.resource_version

    asyncio.run(story())


def test_a_write_of_an_old_version_conflicts(toys: Any) -> None:
    """A version or uid that is not the stored one is refused by update, update_status and delete; none is no check."""

    async def story() -> None:
        store = toys.store()
        await store.create(toys.new_namespace())
        old = await store.create(toys.new_box())
        await store.update(old.with_spec(number=2))
        other_uid = old.with_metadata(resource_version="", uid="other").with_spec(number=3)
        for write in (
            store.update(old.with_spec(number=3)),
            store.update_status(old.with_status(phase="Ready")),
            store.delete(BOX, resource_version=old.metadata.resource_version),
            store.update(other_uid),
            store.delete(BOX, uid="other"),
        ):
            with pytest.raises(Conflict):
                await write
        assert (await store.update(old.with_metadata(resource_version="").with_spec(number=3))).spec.number == 3

    asyncio.run(story())


def test_requests_that_make_no_sense_are_refused(toys: Any) -> None:
    """Names that are taken, missing, unknown or malformed each have the API server's own error."""

    async def story() -> None:
        store = toys.store()
        await store.create(toys.new_shelf())
        with pytest.raises(AlreadyExists):
            await store.create(toys.new_shelf())
        with pytest.raises(BadRequest, match="resourceVersion should not be set"):
            await store.create(toys.new_shelf("elm", resource_version="1"))
        with pytest.raises(BadRequest, match="Spoon"):
            await store.get(Key("Spoon", "", "a"))
        for write in (
            store.get(BOX),
            store.delete(BOX),
            store.update(toys.new_box()),
            store.update_status(toys.new_box()),
        ):
            with pytest.raises(NotFound):
                await write

    asyncio.run(story())


@pytest.mark.parametrize(
    ("make", "name", "namespace", "field"),
    [
        ("new_shelf", "", "", "metadata.name"),
        ("new_shelf", "Oak", "", "metadata.name"),
        ("new_shelf", "a..b", "", "metadata.name"),
        ("new_shelf", "a" * 254, "", "metadata.name"),
        ("new_namespace", "a.b", "", "metadata.name"),
        ("new_namespace", "a" * 64, "", "metadata.name"),
        ("new_shelf", "oak", "home", "metadata.namespace"),
        ("new_box", "tea", "", "metadata.namespace"),
    ],
)
def test_names_are_those_of_dns(toys: Any, make: str, name: str, namespace: str, field: str) -> None:
    """An object's name is a DNS subdomain, a Namespace's a DNS label, and a namespace is given where it belongs."""
    with pytest.raises(Invalid) as refused:
        asyncio.run(toys.store().create(getattr(toys, make)(name, namespace=namespace)))
    assert [violation.field for violation in refused.value.violations] == [field]


def test_long_names_with_dots_are_fine(toys: Any) -> None:
    """253 characters are not too many, and a subdomain may have dots."""
    asyncio.run(toys.store().create(toys.new_shelf(".".join(["a" * 62] * 4))))


def test_a_namespace_has_to_be_there_first(toys: Any) -> None:
    """Nothing can be created in a Namespace that is missing or being deleted."""

    async def story() -> None:
        store = toys.store()
        with pytest.raises(NotFound, match='Namespace "home" not found'):
            await store.create(toys.new_box())
        await store.create(toys.new_namespace(finalizers=("hold",)))
        await store.delete(Key("Namespace", "", "home"))
        with pytest.raises(Forbidden, match="Namespace home is being deleted"):
            await store.create(toys.new_box())

    asyncio.run(story())


def test_a_namespace_takes_its_contents_along(toys: Any) -> None:
    """Deleting it deletes what is in it, and it goes with the last of them."""

    async def story() -> None:
        store = toys.store()
        await store.create(toys.new_namespace())
        await store.create(toys.new_box("free"))
        held = await store.create(toys.new_box("held", finalizers=("hold",)))
        await store.delete(Key("Namespace", "", "home"))
        assert await names(store, "Box") == ["held"]
        held = await store.get(held.key)
        assert held.deleting
        assert (await store.get(Key("Namespace", "", "home"))).deleting
        await store.update(held.with_metadata(finalizers=()))
        assert await names(store, "Box") == await names(store, "Namespace") == []

    asyncio.run(story())


def test_some_metadata_cannot_be_changed(toys: Any) -> None:
    """creationTimestamp is immutable, deletionTimestamp stays, and finalizers cannot be added while deletion runs."""

    async def story() -> None:
        store = toys.store()
        shelf = await store.create(toys.new_shelf(finalizers=("hold",)))
        with pytest.raises(Invalid, match=r"metadata\.creationTimestamp: .*: field is immutable"):
            await store.update(shelf.with_metadata(creation_timestamp=5.0))
        await store.delete(SHELF)
        shelf = await store.get(SHELF)
        with pytest.raises(Invalid, match=r"metadata\.finalizers: Forbidden: .* leave out more"):
            await store.update(shelf.with_metadata(finalizers=("hold", "more")))
        kept = await store.update(shelf.with_metadata(deletion_timestamp=None, labels={"a": "b"}))
        assert kept.metadata.deletion_timestamp == 1000.0

    asyncio.run(story())


def test_finalizers_hold_an_object(toys: Any) -> None:
    """Deletion marks it, a second deletion does nothing, and dropping the last finalizer removes it in one event."""

    async def story() -> None:
        store = toys.store()
        await store.create(toys.new_shelf(finalizers=("one", "two")))
        watch = store.watch("Shelf", "1")
        toys.clock.advance(5)
        await store.delete(SHELF)
        await store.delete(SHELF)
        shelf = await store.get(SHELF)
        assert shelf.metadata.deletion_timestamp == 1005.0
        shelf = await store.update(shelf.with_metadata(finalizers=("two",)))
        last = await store.update(shelf.with_metadata(finalizers=()))
        events = watch.drain()
        assert [event.type for event in events] == ["MODIFIED", "MODIFIED", "DELETED"]
        assert events[-1].obj is last
        assert [event.obj.metadata.resource_version for event in events] == ["2", "3", "4"]
        assert await names(store, "Shelf") == []

    asyncio.run(story())


def test_dependents_go_with_their_last_owner(toys: Any) -> None:
    """One owner that is left keeps an object; with the last one it is deleted, and so is what it owns in turn."""

    async def story() -> None:
        store = toys.store()
        oak, elm = await store.create(toys.new_shelf("oak")), await store.create(toys.new_shelf("elm"))
        await store.create(toys.new_namespace())
        both = await store.create(toys.new_box("both", owner_references=toys.owned_by(oak, elm)))
        await store.create(toys.new_box("inner", owner_references=toys.owned_by(both)))
        await store.delete(oak.key)
        assert await names(store, "Box") == ["both", "inner"]
        await store.delete(elm.key)
        assert await names(store, "Box") == []

    asyncio.run(story())


def test_a_long_chain_of_owners_is_no_problem(toys: Any) -> None:
    """Collection is not recursive: ten thousand objects in a chain go in one write."""

    async def story() -> None:
        store = toys.store()
        first = last = await store.create(toys.new_shelf("s0"))
        for number in range(1, 10_000):
            last = await store.create(toys.new_shelf(f"s{number}", owner_references=toys.owned_by(last)))
        await store.delete(first.key)
        assert await names(store, "Shelf") == []

    asyncio.run(story())


def test_an_object_with_dead_owners_is_collected_at_once(toys: Any) -> None:
    """Creation or an update that leaves only owners that are gone deletes the object; unknown Kinds count as alive."""

    async def story() -> None:
        store = toys.store()
        gone = await store.create(toys.new_shelf("gone"))
        await store.delete(gone.key)
        watch = store.watch("Shelf", "2")
        await store.create(toys.new_shelf("late", owner_references=toys.owned_by(gone)))
        moved = await store.create(toys.new_shelf("moved"))
        await store.update(moved.with_metadata(owner_references=toys.owned_by(gone)))
        assert told(watch.drain())[:2] == [("ADDED", "late"), ("DELETED", "late")]
        elsewhere = evolve(toys.owned_by(gone)[0], kind="ReplicaSet")
        await store.create(toys.new_shelf("pod", owner_references=(elsewhere,)))
        assert await names(store, "Shelf") == ["pod"]

    asyncio.run(story())


def test_a_successor_is_no_owner(toys: Any) -> None:
    """An owner that is made anew under its old name does not own what its predecessor owned."""

    async def story() -> None:
        store = toys.store()
        await store.create(toys.new_namespace())
        oak = await store.create(toys.new_shelf())
        await store.create(toys.new_box(finalizers=("hold",), owner_references=toys.owned_by(oak)))
        await store.delete(oak.key)
        await store.create(toys.new_shelf())
        assert (await store.get(BOX)).deleting

    asyncio.run(story())


def test_a_refused_collection_is_tried_again(toys: Any, keeper: Any) -> None:
    """A dependent that admission keeps stays, and goes as soon as something else has changed."""

    async def story() -> None:
        store = toys.store(keeper)
        oak = await store.create(toys.new_shelf())
        other = await store.create(toys.new_shelf("elm"))
        kept = await store.create(toys.new_shelf("kept", owner_references=toys.owned_by(oak)))
        keeper.kept.add(kept.key)
        await store.delete(oak.key)
        assert await names(store, "Shelf") == ["elm", "kept"]
        keeper.kept.clear()
        await store.delete(other.key)
        assert await names(store, "Shelf") == []

    asyncio.run(story())


def test_contents_that_depend_on_each_other_go_in_the_end(toys: Any, keeper: Any) -> None:
    """Within one deletion of a Namespace, what was refused at first is tried again after the others."""

    async def story() -> None:
        store = toys.store(keeper)
        store.subscribe(lambda event: keeper.kept.discard(BOX) if event.type is EventType.DELETED else None)
        await store.create(toys.new_namespace())
        await store.create(toys.new_box("tea"))
        await store.create(toys.new_box("user"))
        keeper.kept.add(BOX)
        await store.delete(Key("Namespace", "", "home"))
        assert await names(store, "Box") == await names(store, "Namespace") == []

    asyncio.run(story())


def test_admission_is_asked_about_all_but_status(toys: Any, keeper: Any) -> None:
    """Creation, update and deletion pass it, collection too; status and writes that change nothing do not."""

    async def story() -> None:
        store = toys.store(keeper)
        oak = await store.create(toys.new_shelf())
        await store.create(toys.new_shelf("late", owner_references=toys.owned_by(oak)))
        oak = await store.update_status(oak.with_status(phase="Ready"))
        oak = await store.update(oak.with_metadata(labels={"a": "b"}))
        await store.update(oak)
        await store.delete(oak.key)
        assert keeper.asked == [
            (Operation.CREATE, "oak"),
            (Operation.CREATE, "late"),
            (Operation.UPDATE, "oak"),
            (Operation.DELETE, "oak"),
            (Operation.DELETE, "late"),
        ]

    asyncio.run(story())


def test_a_refused_write_changes_nothing(toys: Any, keeper: Any) -> None:
    """What admission refuses leaves the object, the version and the listeners as they were."""

    async def story() -> None:
        store = toys.store(keeper)
        shelf = await store.create(toys.new_shelf())
        keeper.kept.add(SHELF)
        watch = store.watch("Shelf", "1")
        with pytest.raises(Forbidden, match='Shelf "oak" is forbidden: it is in use'):
            await store.delete(SHELF)
        assert await store.get(SHELF) is shelf
        assert watch.drain() == []

    asyncio.run(story())


def test_admission_may_complete_an_object(toys: Any) -> None:
    """What a link of the chain returns is stored, and counts as a change only if it is one."""

    class Label:
        def admit(self, operation: Operation, new: AnyObject | None, old: AnyObject | None) -> AnyObject:
            obj = new if new is not None else old
            assert obj is not None
            return obj.with_spec(labels=("default",)) if not obj.spec.labels else obj

    async def story() -> None:
        store = toys.store(Label())
        await store.create(evolve(toys.new_namespace(), spec=toys.new_box().spec))
        box = await store.create(toys.new_box())
        assert box.spec.labels == ("default",)
        assert await store.update(box.with_spec(labels=())) is box

    asyncio.run(story())


def test_listeners_hear_each_event_before_the_write_returns(toys: Any) -> None:
    """Events come in the order of versions, those of a cascade included."""

    async def story() -> None:
        store = toys.store()
        heard: list[Event] = []
        store.subscribe(heard.append)
        oak = await store.create(toys.new_shelf())
        await store.create(toys.new_shelf("late", owner_references=toys.owned_by(oak)))
        await store.delete(oak.key)
        assert told(heard) == [("ADDED", "oak"), ("ADDED", "late"), ("DELETED", "oak"), ("DELETED", "late")]
        assert [int(event.obj.metadata.resource_version) for event in heard] == [1, 2, 3, 4]

    asyncio.run(story())


def test_a_watch_resumes_from_any_version_it_remembers(toys: Any) -> None:
    """It tells what came after, of its own Kind; without a version it begins with what is there."""

    async def story() -> None:
        store = toys.store()
        await store.create(toys.new_namespace())
        for name in ("a", "b"):
            await store.create(toys.new_shelf(name))
        assert told(store.watch("Shelf", "2").drain()) == [("ADDED", "b")]
        await store.delete(Key("Shelf", "", "a"))
        assert told(store.watch("Shelf", "0").drain()) == [("ADDED", "a"), ("ADDED", "b"), ("DELETED", "a")]
        watch = store.watch("Shelf", "")
        assert told(watch.drain()) == [("ADDED", "b")]
        assert watch.drain() == []

    asyncio.run(story())


def test_a_watch_from_too_far_back_is_gone(toys: Any) -> None:
    """Reading it says so, as it does for a version that this store has not reached."""

    async def story() -> None:
        store = toys.store(log_size=2)
        for name in ("a", "b", "c"):
            await store.create(toys.new_shelf(name))
        assert told(store.watch("Shelf", "1").drain()) == [("ADDED", "b"), ("ADDED", "c")]
        for version in ("0", "99"):
            with pytest.raises(Gone, match=f"too old resource version: {version}"):
                store.watch("Shelf", version).drain()
            with pytest.raises(Gone):
                await anext(aiter(store.watch("Shelf", version)))
        with pytest.raises(BadRequest):
            store.watch("Shelf", "x")

    asyncio.run(story())


def test_an_open_watch_misses_nothing(toys: Any) -> None:
    """What has arrived at an open watch stays for its reader, however short the history is."""

    async def story() -> None:
        store = toys.store(log_size=1)
        watch = store.watch("Shelf", "0")
        for name in ("a", "b", "c"):
            await store.create(toys.new_shelf(name))
        assert told(watch.drain()) == [("ADDED", "a"), ("ADDED", "b"), ("ADDED", "c")]

    asyncio.run(story())


def test_iterating_a_watch_waits_for_events(toys: Any) -> None:
    """A reader sleeps until a write wakes it, and stops when the watch is closed."""

    async def story() -> None:
        store = toys.store()
        watch = store.watch("Shelf", "0")

        async def read() -> list[str]:
            return [event.obj.name async for event in watch]

        reader = asyncio.create_task(read())
        await asyncio.sleep(0)
        await store.create(toys.new_shelf("a"))
        await store.create(toys.new_shelf("b"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        watch.close()
        assert await reader == ["a", "b"]

    asyncio.run(story())


def test_a_closed_watch_is_told_nothing_more(toys: Any) -> None:
    """Nor does it keep what it had not been read yet."""

    async def story() -> None:
        store = toys.store()
        watch = store.watch("Shelf", "0")
        await store.create(toys.new_shelf("a"))
        watch.close()
        await store.create(toys.new_shelf("b"))
        assert watch.drain() == []
        assert [event async for event in watch] == []

    asyncio.run(story())
