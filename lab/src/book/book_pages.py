"""The pages of a book: which there are, what they are called, and how one links to another."""

import html
import os
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

# Longer texts are copied as they are: a page of them would be slow, and nobody reads it.
LONGEST_TEXT = 400_000


class Page:
    """A page while it is made."""

    def __init__(self, book, name, source, solved=False):
        self.book = book
        self.name = name
        self.source = Path(source)
        self.solved = solved
        self.headings = []
        self.ids = set()

    def take_id(self, wanted):
        """A name for a place in the page, other than all before."""
        name, number = wanted, 1
        while name in self.ids:
            number += 1
            name = f"{wanted}-{number}"
        self.ids.add(name)
        return name

    def to(self, name):
        """The address of another page or file of the book, as this page links to it."""
        return quote(os.path.relpath(name, Path(self.name).parent))

    def address(self, url):
        """Where a link leads in the book; nothing, if that is in a notebook that was left out."""
        parts = urlsplit(html.unescape(url))
        if parts.scheme or parts.netloc or not parts.path:
            return url
        target = (self.source.parent / unquote(parts.path)).resolve()
        name = self.book.name_of(target, self.solved)
        if name is None:
            # Whoever checks the site will find it, if it is no notebook.
            return None if target.suffix == ".ipynb" and target.is_file() else url
        return self.to(name) + (f"#{parts.fragment}" if parts.fragment else "")


class Book:
    """All pages by the files that they are made of."""

    def __init__(self, site, root):
        self.site = Path(site)
        self.root = Path(root)
        self.chapters = {}
        self.files = {}

    def name_of(self, target, solved):
        """The page of a file, which is put on the list of those to be made if it is not there."""
        if target in self.chapters:
            plain, with_solutions = self.chapters[target]
            return with_solutions if solved and with_solutions else plain
        if target.is_dir():
            target = target / "README.md"
        inside = target.is_relative_to(self.root) and target.is_file()
        if not inside or target.suffix == ".ipynb":
            return None
        if target not in self.files:
            name = Path("files") / target.relative_to(self.root)
            self.files[target] = str(name) if text_of(target) is None else f"{name}.html"
        return self.files[target]

    def write(self, name, text):
        """Writes a page."""
        path = self.site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def text_of(file):
    """The text of a file; nothing, if it is none, or too long for a page."""
    if file.stat().st_size > LONGEST_TEXT:
        return None
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
