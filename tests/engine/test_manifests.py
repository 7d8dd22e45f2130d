"""Manifests as people write them: read as kubectl reads them, and never an exception for what a file contains."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from juneau.engine.documents import MAX_DEPTH, Document
from juneau.engine.manifests import MAX_FILE_BYTES, read_documents
from juneau.engine.yamltext import reads_as_text


def read(text: str | bytes) -> list[Document]:
    return list(read_documents(text, "net.yaml"))


def contents(text: str | bytes) -> list[object]:
    documents = read(text)
    assert [document.error for document in documents if document.error] == []
    return [document.content for document in documents]


def error(text: str | bytes) -> str:
    (document,) = read(text)
    assert document.content is None
    return document.error


def test_documents_know_where_they_stand() -> None:
    """Documents are counted as in the file, empty ones included, though these are not handed out."""
    documents = read("a: 1\n---\n# nothing\n---\n\n---\n\nb: 2\n---\nnull\n")
    assert documents == [Document("net.yaml", 1, 1, {"a": 1}), Document("net.yaml", 4, 8, {"b": 2})]
    assert documents[1].place == "net.yaml, line 8"


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "---\n", "---\n---\n", "\ufeff"])
def test_files_without_content_have_no_documents(text: str) -> None:
    """An empty file is no error."""
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", True),
        ("Off", False),
        ("'yes'", "yes"),
        ("~", None),
        ("2026-01-31", "2026-01-31"),
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
        ("10:20:30:40:50:10", "10:20:30:40:50:10"),
        ("22:22", "22:22"),
        ("=", "="),
        ("010", 8),
        ("0o17", 15),
        ("0x1F", 31),
        ("-0b101", -5),
        ("08", "08"),
        ("0o", "0o"),
        ("1_000", 1000),
        ("1e3", 1000.0),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("18446744073709551615", 2**64 - 1),
        ("!!str 3", "3"),
        ('!!int "3"', 3),
        ("!!float 3", 3.0),
        ("! 3", "3"),
    ],
)
def test_texts_without_quotes_mean_what_they_mean_to_kubectl(text: str, value: object) -> None:
    """Truth values are those of YAML 1.1; times, and numbers to base 60, are texts."""
    (content,) = contents(f"a: {text}")
    assert isinstance(content, dict)
    assert (content["a"], type(content["a"])) == (value, type(value))


def test_keys_are_texts() -> None:
    """Numbers and truth values become texts where they are keys, as for kubectl."""
    assert contents("1: a\non: b\n2.5: c\n") == [{"1": "a", "true": "b", "2.5": "c"}]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3, column 1"),
        ("x:\n  - {a: 1, a: 2}\n", "line 2, column 12"),
        ('a: 1\n"a": 2\n', "line 2, column 1"),
        ("1: x\n'1': y\n", "line 2, column 1"),
    ],
)
def test_duplicate_keys_are_refused(text: str, place: str) -> None:
    """A key that stands twice is an error at the second one, where YAML would lose the first."""
    message = error(text)
    assert message.startswith(f"net.yaml, {place}: the key ")
    assert message.endswith(" stands here twice")


def test_duplicate_keys_of_json_are_refused() -> None:
    """JSON is held to the same rule."""
    assert error('{"a": {"b": 1, "b": 2}}') == 'net.yaml, line 1: the key "b" stands here twice'


def test_a_bad_document_leaves_the_others_readable() -> None:
    """What is wrong inside one document costs no other one."""
    documents = read("a: 1\n---\nb: 1\nb: 2\n---\nc: !!binary aGk=\n---\nd: 4\n")
    assert [document.content for document in documents] == [{"a": 1}, None, None, {"d": 4}]
    assert [document.number for document in documents] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: b: c\n", "line 1, column 5"),
        ("a:\n  - b\n c: 1\n", "line 3, column 2"),
        ("a: [1,\n", "line 2, column 1"),
        ("\ta: 1\n", "line 1, column 1"),
        ("a: 'x\n", "line 2, column 1"),
        ('{"a": 1,, "b": 2}', "line 1, column 9"),
    ],
)
def test_unreadable_yaml_is_an_error_with_its_place(text: str, place: str) -> None:
    """A syntax error names the file, the line and the column, and is no traceback."""
    assert error(text).startswith(f"net.yaml, {place}: ")
    assert "\n" not in error(text)


def test_what_stands_before_a_syntax_error_is_read() -> None:
    """Documents before the error are handed out, and the error tells its own document."""
    first, second = read("a: 1\n---\nb: [\n")
    assert first.content == {"a": 1}
    assert (second.number, second.line, bool(second.error)) == (2, 3, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: .inf", "line 1, column 4: .inf is no number that JSON knows"),
        ("a: -.INF", "line 1, column 4: -.INF is no number that JSON knows"),
        ("a: 1e999", "line 1, column 4: a number is too large"),
        ("a: " + "9" * 5000, "line 1, column 4: a number is too large for 64 bits"),
        ("a: !!python/name:os.system x", "line 1, column 4: the tag tag:yaml.org,2002:python/name:os.system has no"),
        ("a: !!set {x}", "line 1, column 4: the tag tag:yaml.org,2002:set has no"),
        ("a: !!int x", "line 1, column 4: 'x' does not fit its tag"),
        ("? [a]\n: b", "line 1, column 3: a key must be a text"),
        ("~: b", "line 1, column 1: a key must be a text"),
        ("a: *x", "line 1, column 4: *x stands for nothing"),
        ("a: &x [*x]", "line 1, column 8: *x stands for nothing"),
        ("a: {<<: 3}", "line 1, column 5: << takes a mapping or a list of them"),
        ('{"a": NaN}', "line 1: NaN is no JSON"),
        ('{"a": ' + "9" * 5000 + "}", "line 1: a number is too large for 64 bits"),
        ('{"a": 1e999}', "line 1: a number is too large"),
    ],
)
def test_what_json_cannot_say_is_refused(text: str, message: str) -> None:
    """YAML beyond JSON is an error in words."""
    assert error(text).startswith(f"net.yaml, {message}")


def test_aliases_and_merges_are_resolved() -> None:
    """An alias is a copy of what it stands for; a merged mapping gives way to the keys beside it."""
    (content,) = contents("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: [*a, *a]\nd: {<<: [{x: 4}, *a]}\n")
    assert content == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 3},
        "c": [{"x": 1, "y": 2}] * 2,
        "d": {"x": 4, "y": 2},
    }
    assert isinstance(content, dict)
    assert content["c"][0] is not content["a"]


def test_alias_bombs_are_refused() -> None:
    """Few lines that stand for millions of values are not expanded."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 20)]
    assert "aliases stand for more than 100000 values" in error("\n".join(lines))


def test_aliases_make_no_depth_of_their_own() -> None:
    """Depth is bounded with aliases expanded."""
    lines = ["a0: &a0 [x]"] + [f"a{level}: &a{level} [*a{level - 1}]" for level in range(1, 200)]
    assert "nested deeper than 100 levels" in error("\n".join(lines))


@pytest.mark.parametrize("unit", ["[", '{"a":', "- ", "{a: "])
@pytest.mark.parametrize("times", [MAX_DEPTH + 1, 200_000])
def test_deep_nesting_is_refused(unit: str, times: int) -> None:
    """However deep a file nests, the answer is an error in words."""
    assert error(unit * times) != ""


def test_json_is_as_deep_as_yaml_may_be() -> None:
    """JSON that is complete is held to the same depth."""
    assert contents("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert error("[" * 101 + "]" * 101) == "net.yaml, line 1: nested deeper than 100 levels"


def test_json_files_are_read() -> None:
    """JSON with tabs, escapes of two parts and several documents is read as JSON."""
    text = '{\n\t"a": [1, 2.5, null, true]\n}\n{"b": "\\ud83d\\ude00"}'
    first, second = read(text)
    assert (first.content, first.line) == ({"a": [1, 2.5, None, True]}, 1)
    assert (second.content, second.number, second.line) == ({"b": "😀"}, 2, 4)


def test_yaml_that_begins_like_json_is_read() -> None:
    """A file that begins with a brace may be YAML all the same."""
    assert contents("{a: 1}\n---\nb: 2\n") == [{"a": 1}, {"b": 2}]


def test_lists_are_taken_apart() -> None:
    """The items of a List stand in its place, of a List in a List too."""
    documents = read("kind: List\nitems:\n- a: 1\n- {kind: WallList, items: [{b: 2}]}\n- c: 3\n---\nd: 4\n")
    assert [document.content for document in documents] == [{"a": 1}, {"b": 2}, {"c": 3}, {"d": 4}]
    assert [(document.number, document.item) for document in documents] == [(1, 1), (1, 2), (1, 3), (2, 0)]
    assert documents[1].place == "net.yaml, line 1, item 2"


def test_empty_lists_are_empty() -> None:
    """A List without items is no document."""
    assert read("kind: List\nitems: []\n") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"a: \xff", "net.yaml: not UTF-8 text"),
        ("a: \ud800", "net.yaml: not UTF-8 text"),
        ("a: 1".encode("utf-16"), "net.yaml: not UTF-8 text"),
        ("a: 1\nb: \0\n", "net.yaml, line 2: the character NUL must not stand in a text file"),
        ("a: \x07", "net.yaml, line 1: the character U+0007 must not stand in a text file"),
        ("#" * (MAX_FILE_BYTES + 1), "net.yaml: longer than 8 MiB"),
    ],
    ids=["bytes", "surrogate", "utf-16", "nul", "bell", "long"],
)
def test_what_is_no_text_is_refused(text: str | bytes, message: str) -> None:
    """A file that is no UTF-8 text of a sane size is an error in words."""
    assert error(text) == message


def test_bytes_and_text_are_read_alike() -> None:
    """A file may be handed over as it was read, also with a mark of its encoding."""
    assert contents("a: ü".encode()) == contents(b"\xef\xbb\xbfa: \xc3\xbc") == contents("\ufeffa: ü") == [{"a": "ü"}]


letters = st.text(st.sampled_from("ab0:-? {}[],&*!|>'\"#%@\n\t<.~e\\"), max_size=40)


@given(st.text() | letters | st.binary(max_size=40))
def test_no_text_raises(text: str | bytes) -> None:
    """Whatever a file contains, it is read or an error in words."""
    for document in read_documents(text, "net.yaml"):
        assert (document.content is None) == bool(document.error)
        assert document.line >= 1
        json.dumps(document.content)


plain_json = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(st.characters(codec="utf-8", exclude_categories=["C"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), plain_json, min_size=1))
def test_json_and_yaml_of_a_value_are_that_value(value: dict[str, object]) -> None:
    """What is written as JSON, or as YAML, is read as the same."""
    assert contents(json.dumps(value)) == [value]
    assert contents(json.dumps(value, indent="\t", ensure_ascii=False)) == [value]
    quoted = yaml.safe_dump(value, default_style='"', allow_unicode=True)
    assert contents(quoted) == [json.loads(json.dumps(value))]


@pytest.mark.parametrize("text", ["yes", "1e3", "0x1", "", "null", ".nan", "9" * 30])
def test_texts_that_mean_something_else_are_known(text: str) -> None:
    """A writer can tell which texts need quotes."""
    assert not reads_as_text(text)
    assert reads_as_text(f"x{text}")
