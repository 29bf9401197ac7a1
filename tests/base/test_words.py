"""One word for one idea: the old words of the table in docs/conventions.md are in no identifier and in no comment."""

import os
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
CONVENTIONS = ROOT / "docs" / "conventions.md"
HEADING = "## Words that are not used"
FOLDERS = ("src", "include", "tests", "bench", "examples/c")
TOKEN = re.compile(r'(//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|([A-Za-z_]\w*)', re.DOTALL)

# A word, its forms, and where an identifier may have it all the same: a path ("" for any), or the identifier itself.
OLD = (
    ("turn", ("turn", "turns", "turned", "turning", "nturn"), ("=turns", "=read_turns")),  # of a circle: how many
    ("touch", ("touch", "touches", "touched", "touching"), ()),
    ("press", ("press", "presses", "pressed", "pressing"), ()),
    ("price", ("price", "prices"), ()),
    ("slip", ("slip", "slips", "slipping", "slipped"), ("=friction_slip",)),
    ("drag", ("drag", "drags"), ()),
    ("place", ("place", "places", "nplace", "placement"), ()),
    ("alarm", ("alarm",), ()),
    ("content", ("content",), ("src/io/", "src/app/", "src/mesh/", "tests/mesh/")),  # of a file
    ("gauge", ("gauge", "gauges"), ()),
    ("forge", ("forge",), ()),
    ("shop", ("shop",), ()),
    ("bend", ("bend", "bends"), ("src/element/", "src/io/", "tests/", "examples/")),  # of beams
    ("curvature", ("curvature", "curvatures"), ("src/element/", "tests/")),
)
# What English says with these words in comments.
IDIOMS = re.compile(r"\bin turn\b|\bat that turn|\bin a turn\b|had the turn|\b(half|third of) a turn|\b(one|two) turns?\b|\bturns? (?:\w+ ){0,3}out\b|\bturned (?:out|on)\b"
                    r"|\b[Tt]urn(?:s|ed|ing)? [^.]{1,90}?\binto\b|\bturned into\b|\bturn(?:s|ed)? (?:tetrahedra|elements) [^.]{0,20}inside|\b[Tt]urns tetrahedra|\bturns back\b|\bturn its part|\bturn (?:left|the same)\b|\bturned the right way"
                    r"|take turns\b|change places\b|\bin turns\b|\b[Ii]n (?:the )?place\b|\bin (?:the|its|their) (?:\w+ )?place\b|\brobot's place\b|\btakes? (?:the|its|their) place\b|\bno place for\b|\blast place\b"
                    r"|\bbodies\.NAME\.place\b|\bplace-holder\b|friction slips?\b|\bwhat slips\b|\bit slips\b|direction of slip|slip, t =|\bslips off\b")
IN_COMMENTS = ("turn", "touch", "press", "price", "drag", "place", "alarm", "gauge", "forge", "shop")


def identifier_fault(path, name):
    words = set(name.lower().split("_"))
    for word, forms, allowed in OLD:
        if words & set(forms) and not any(f"={name}" == a or a[:1] != "=" and path.startswith(a) for a in allowed):
            return word
    return None


def comment_faults(text):
    joined = re.sub(r"\s*\n\s*//\s*", " ", text)
    rest = IDIOMS.sub(" ", re.sub(r"`[^`]*`", " ", joined))
    for word, forms, _ in OLD:
        if word in IN_COMMENTS and re.search(r"\b(" + "|".join(forms) + r")\b", rest, re.IGNORECASE):
            yield word


def faults(root):
    for folder in FOLDERS:
        for file in sorted(path for path in (root / folder).rglob("*") if path.suffix in (".c", ".h")):
            path, text = str(file.relative_to(root)), file.read_text()
            for match in TOKEN.finditer(text):
                found = [identifier_fault(path, match[2])] if match[2] else list(comment_faults(match[1])) if match[1] else []
                for word in filter(None, found):
                    line, what = text.count("\n", 0, match.start()) + 1, f"'{match[2]}'" if match[2] else "the comment"
                    yield f"{path}:{line}: {what} has the old word '{word}'; see the table in docs/conventions.md"


class Words(unittest.TestCase):
    def test_old_words_are_gone(self):
        self.assertEqual(list(faults(ROOT)), [])

    def test_every_old_word_is_in_the_table(self):
        table = CONVENTIONS.read_text().split(HEADING)[1].split("\n## ")[0]
        listed = {word for row in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE) for word in row.split(", ")}
        self.assertEqual({word for word, _, _ in OLD} - listed, set())

    def test_an_old_word_is_noticed_and_english_is_not(self):
        with tempfile.TemporaryDirectory(prefix="lithe-words-") as folder:
            file = pathlib.Path(folder) / "src" / "step" / "sample.c"
            file.parent.mkdir(parents=True)
            for text, count in (("double turn_rate;\n", 1), ("int nturn;\n", 1), ("double price;\n", 1), ("// the turn of a node\n", 1),
                                ("// what may\n// touch here\n", 1), ("double curvature;\n", 1), ("int displacement, returned, pressure;\n", 0),
                                ("// both in turn, in place; it turns out well\n", 0), ('const char *a = "touch";\n', 0),
                                ("double friction_slip;\n", 0), ("double slip;\n", 1)):
                file.write_text(text)
                with self.subTest(text=text):
                    self.assertEqual(len(list(faults(pathlib.Path(folder)))), count)


if __name__ == "__main__":
    unittest.main()
