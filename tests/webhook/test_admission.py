"""Admission of any Kind by its own rules, shown on a toy Kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from attrs import frozen

from juneau.engine.admission import Operation
from juneau.engine.errors import Cause, Forbidden, Invalid, Violation
from juneau.engine.fields import Mark
from juneau.engine.kind import Kind, Registry, Scope
from juneau.engine.objects import Condition, Object
from juneau.engine.shape import IMMUTABLE
from juneau.engine.world import Cache, Reader
from juneau.webhook.admission import KindAdmission


@frozen
class Spec:
    shelf: Annotated[str, Mark("the Shelf it stands on", min_length=1, immutable=True)]
    size: Annotated[int, Mark("its size", minimum=1, maximum=9)] = 0


@frozen
class Status:
    phase: str = ""
    observed_generation: int = 0
    conditions: tuple[Condition, ...] = ()


Box = Object[Spec, Status]


def complete(box: Box, old: Box | None, _world: Reader) -> Box:
    return box.with_spec(size=5) if old is None and box.spec.size == 0 else box


def judge(new: Box, old: Box | None, world: Reader) -> Iterator[Violation]:
    if not new.spec.shelf:
        yield Violation("spec.shelf", "", Cause.REQUIRED)
    if new.spec.shelf == "shaky":
        yield Violation("spec.shelf", "may fall down", refused=False)
    if old is not None and new.spec.size < old.spec.size:
        yield Violation("spec.size", "must not shrink", value=new.spec.size)
    if new.metadata.labels.get("colour") == "beige":
        yield Violation("metadata.labels", "no beige", Cause.FORBIDDEN)
    if any(other.spec.size == 9 for other in world.all(BOX)):
        yield Violation("spec", "there is a box that takes up all room", Cause.FORBIDDEN)


def keep(box: Box, _world: Reader) -> Iterator[str]:
    if box.spec.size > 5:
        yield "it is too big"
        yield "and too heavy"


BOX: Kind[Spec, Status] = Kind(
    "Box", "boxes", Spec, Status, Scope.NAMESPACED, "A box.", default=complete, validate=judge, refuse_deletion=keep
)
CRATE: Kind[Spec, Status] = Kind("Crate", "crates", Spec, Status, Scope.NAMESPACED, "Somebody else's.", foreign=True)


@frozen
class World:
    """A cache and the admission that reads it."""

    cache: Cache
    admission: KindAdmission

    def create(self, new: Any) -> Any:
        return self.admission.admit(Operation.CREATE, new, None)

    def update(self, new: Any, old: Any) -> Any:
        return self.admission.admit(Operation.UPDATE, new, old)

    def delete(self, old: Any) -> Any:
        return self.admission.admit(Operation.DELETE, None, old)


@pytest.fixture
def world() -> World:
    registry = Registry()
    registry.add(BOX)
    registry.add(CRATE)
    cache = Cache(registry)
    return World(cache, KindAdmission(registry, lambda: Reader(cache)))


def box(shelf: str = "oak", size: int = 5, **metadata: Any) -> Box:
    return BOX.new("tea", Spec(shelf, size), "home", **metadata)


def test_an_object_is_completed_before_it_is_judged(world: World) -> None:
    """The default comes first, so that rules see the object as it will be stored."""
    assert world.create(box(size=0)).spec == Spec("oak", 5)


def test_what_was_there_before_tells_an_update_from_a_creation(world: World) -> None:
    """An API server has given a new object its UID before admission sees it."""
    assert world.create(box(size=0, uid="6f1f")).spec.size == 5
    assert world.update(box(size=0, uid="6f1f", labels={"colour": "red"}), box(size=0, uid="6f1f")).spec.size == 0


def test_everything_that_is_wrong_is_said_at_once(world: World) -> None:
    """Marks, immutability and the Kind's rules end in one error, each text once."""
    with pytest.raises(Invalid) as refused:
        world.create(box("", 10))
    assert str(refused.value) == (
        'Box "tea" is invalid: [spec.shelf: Required value: the Shelf it stands on,'
        " spec.size: Invalid value: 10: must be between 1 and 9]"
    )
    with pytest.raises(Invalid) as refused:
        world.update(box("elm", 3), box("oak", 5))
    assert [str(violation) for violation in refused.value.violations] == [
        f'spec.shelf: Invalid value: "elm": {IMMUTABLE}',
        "spec.size: Invalid value: 3: must not shrink",
    ]


def test_what_may_wait_is_let_pass(world: World) -> None:
    """A violation that is not for admission to refuse leaves the object alone."""
    assert world.create(box("shaky")) == box("shaky")


def test_rules_see_the_world_of_the_moment(world: World) -> None:
    """Each request reads the cache anew."""
    world.create(box())
    world.cache.put(BOX.new("huge", Spec("oak", 9), "home", resource_version="1"))
    with pytest.raises(Invalid, match="takes up all room"):
        world.create(box())


def test_finalizers_can_be_changed_on_an_object_that_breaks_rules(world: World) -> None:
    """An update of nothing that rules speak about is not judged: a finalizer must always come off."""
    old = box("", 5, finalizers=("hold",))
    assert world.update(old.with_metadata(finalizers=()), old).metadata.finalizers == ()
    with pytest.raises(Invalid):
        world.update(old.with_spec(size=6), old)


def test_labels_are_judged_again(world: World) -> None:
    """Rules may speak about labels and annotations, so a change of them is judged."""
    with pytest.raises(Invalid, match="no beige"):
        world.update(box(labels={"colour": "beige"}), box())


def test_deletion_is_refused_with_the_first_reason(world: World) -> None:
    """What the Kind says against it becomes Forbidden; otherwise the object itself is returned."""
    small, big = box(size=5), box(size=6)
    assert world.delete(small) is small
    with pytest.raises(Forbidden, match=r'^Box "tea" is forbidden: it is too big$'):
        world.delete(big)


def test_the_shape_of_foreign_kinds_is_not_ours_to_judge(world: World) -> None:
    """Marks on the API server's own Kinds say nothing; a Kind that is not registered passes."""
    crate = CRATE.new("c", Spec("", 99), "home")
    assert world.create(crate) is crate
    assert world.update(crate.with_spec(shelf="elm"), crate).spec.shelf == "elm"
    unknown: Any = Object("Spoon", crate.metadata, None, None)
    assert world.create(unknown) is unknown


def test_a_request_about_nothing_is_a_mistake(world: World) -> None:
    """Without any object there is nothing to judge."""
    with pytest.raises(ValueError, match="new object, an old one, or both"):
        world.admission.admit(Operation.DELETE, None, None)
