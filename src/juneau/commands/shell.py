"""The prompt of `juneau lab shell`."""

from __future__ import annotations

import cmd
import shlex
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import TypeVar

from juneau.commands import lab_run, lab_trace, mishaps, worlds
from juneau.commands.arguments import Parser, add_output_arguments
from juneau.commands.exits import Exit, UsageError
from juneau.commands.tracing import trace
from juneau.commands.values import duration, reference, selections
from juneau.lab.describe import describe, explained
from juneau.lab.session import Session

ReadT = TypeVar("ReadT")

LONGEST_LINE = 65536  # characters: to take a line apart costs the square of its longest word


class Shell(cmd.Cmd):
    """Commands on one session; the docstring of a command is its help."""

    prompt = "juneau> "
    intro = "A lab is up. Type help for the commands, quit to leave."

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.interactive = sys.stdin.isatty()
        if not self.interactive:
            self.prompt, self.intro = "", ""
            self.use_rawinput = False

    def talk(self) -> Exit:
        """Until `quit` or the end of input; from a pipe, the exit status tells whether anything was refused."""
        while True:
            try:
                self.cmdloop(self.intro)
                break
            except KeyboardInterrupt:
                if not self.interactive:
                    raise
                self.intro = ""
                print()
        return Exit.REFUSED if self.session.refusals and not self.interactive else Exit.OK

    def onecmd(self, line: str) -> bool:
        """One command; what is wrong with it is said, and the next one is read."""
        if line.lstrip().startswith("#"):
            return False
        if len(line) > LONGEST_LINE:
            self.session.refuse(f"error: a line of {len(line)} characters; a command has at most {LONGEST_LINE}")
            return False
        try:
            return bool(super().onecmd(line))
        except (UsageError, ArgumentTypeError, ValueError) as error:
            self.session.refuse(f"error: {error}")
        except SystemExit:  # a parser has said what is wrong
            self.session.refusals += 1
        except BrokenPipeError:
            raise
        except Exception as error:
            self.session.refuse(f"error: {type(error).__name__}: {error}")
        finally:
            sys.stdout.flush()
        return False

    def emptyline(self) -> bool:
        """An empty line does nothing; the last command is not repeated."""
        return False

    def default(self, line: str) -> None:
        """A word that is no command."""
        if line == "EOF":
            return
        raise UsageError(f'there is no command "{line.split()[0]}"; type help')

    def do_apply(self, line: str) -> None:
        """apply [-f] FILE|DIR ...: create or update what the manifests say."""
        for path in [word for word in self._words(line, "apply FILE") if word not in ("-f", "--filename")]:
            if path == "-":
                raise UsageError("standard input is where commands come from; write the manifests to a file")
            if not worlds.exists(path):
                raise UsageError(f'the path "{path}" does not exist')
            if not worlds.apply_path(self.session, path):
                self.session.refuse(f'error: no objects in "{path}"')

    def do_delete(self, line: str) -> None:
        """delete KIND/[NAMESPACE/]NAME ...: delete objects."""
        for found in self._references(line, "delete KIND/NAME", reference):
            self.session.delete(found)

    def do_get(self, line: str) -> None:
        """get KIND[/[NAMESPACE/]NAME] ... [-o FORMAT]: print objects."""
        parser = Parser(prog="get", add_help=False, usage="get KIND[/[NAMESPACE/]NAME] ... [-o FORMAT]")
        add_output_arguments(parser)
        parser.add_argument("words", nargs="*", metavar="KIND[/[NAMESPACE/]NAME]", help="the same as --get")
        words = shlex.split(line)
        if {"-h", "--help"} & set(words):
            parser.print_help()
            return
        arguments = parser.parse_args(words)
        if arguments.words or not arguments.get:
            groups = self._references(shlex.join(arguments.words), "get KIND[/[NAMESPACE/]NAME] ...", selections)
            arguments.get += [found for group in groups for found in group]
        sys.stdout.write(lab_run.answer(self.session, arguments))

    def do_describe(self, line: str) -> None:
        """describe KIND/[NAMESPACE/]NAME ...: print all there is to know about objects."""
        for found in self._references(line, "describe KIND/NAME", reference):
            obj = self.session.find(found)
            if obj is not None:
                sys.stdout.write(describe(self.session, obj))

    def do_explain(self, line: str) -> None:
        """explain KIND/[NAMESPACE/]NAME ...: print what objects wait for, to the end of the chain."""
        for found in self._references(line, "explain KIND/NAME", reference):
            key = self.session.key_of(found)
            if key is not None:
                sys.stdout.write(explained(self.session, key))

    def do_trace(self, line: str) -> None:
        """trace --from POD[.NIC]|outside|router --to ADDRESS|MAC|POD[.NIC]: print the way of a packet; trace --help."""
        parser = Parser(prog="trace", usage="trace --from POD[.NIC]|outside|router --to ADDRESS|MAC|POD[.NIC] [OPTION]")
        lab_trace.add_packet_arguments(parser)
        words = shlex.split(line)
        if {"-h", "--help"} & set(words):
            parser.print_help()
            return
        arguments = parser.parse_args(words)
        lab_trace.check(arguments)
        trace(self.session, arguments)

    def do_advance(self, line: str) -> None:
        """advance DURATION: let virtual time pass, such as 300s or 1h30m."""
        for text in self._words(line, "advance DURATION"):
            self.session.advance(duration(text))

    def do_node(self, line: str) -> None:
        """node cut-off|reconnect|power-off|power-on NAME: take a Node its API server or its power, or give it back."""
        words = self._words(line, mishaps.USAGE)
        if len(words) != 2:
            raise UsageError(f"usage: {mishaps.USAGE}")
        mishaps.befall(self.session, *words)

    def do_nodes(self, line: str) -> None:
        """nodes: print the Nodes."""
        if line:
            raise UsageError(f"nodes takes no argument; write {mishaps.USAGE}, or get node/NAME")
        self.do_get("nodes -o wide")

    def do_quit(self, _line: str) -> bool:
        """quit: leave; the lab is gone then."""
        return True

    def do_exit(self, line: str) -> bool:
        """exit: the same as quit."""
        return self.do_quit(line)

    def do_EOF(self, line: str) -> bool:
        """The end of input leaves."""
        if self.interactive:
            print()
        return self.do_quit(line)

    def _words(self, line: str, usage: str) -> list[str]:
        words = shlex.split(line)
        if not words:
            raise UsageError(f"usage: {usage}")
        return words

    def _references(self, line: str, usage: str, read: Callable[[str], ReadT]) -> list[ReadT]:
        """The references in a line; `pod app` means `pod/app`, as kubectl has it."""
        words = self._words(line, usage)
        if len(words) == 2 and "/" not in "".join(words) and self.session.lab.registry.find(words[1]) is None:
            words = ["/".join(words)]
        return [read(word) for word in words]
