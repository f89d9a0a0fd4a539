"""Makes the pages of a book of notebooks that have been run: export.py TASK.

`cargo lab book` writes the task and looks through the pages afterwards.
"""

import json
import shutil
import sys
from pathlib import Path

import nbformat
from book_markdown import Fault, code, data_url, inline, mathml, render
from book_pages import Book, Page, text_of
from jinja2 import Environment, FileSystemLoader, pass_context
from markupsafe import Markup, escape
from nbconvert.exporters.templateexporter import TemplateExporter
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

HERE = Path(__file__).parent


class Cells(TemplateExporter):
    """The cells of a notebook as HTML, outputs untouched.

    Not nbconvert's HTMLExporter: that reads the whole page and writes it anew, so that outputs come
    out as something else than they went in.
    """

    output_mimetype = "text/html"

    def __init__(self, press, page, language):
        super().__init__(
            template_name="base",
            template_file=str(HERE / "cells.html.j2"),
        )
        self.press = press
        self.page = page
        self.language = language

    @property
    def default_config(self):
        config = super().default_config
        # The richest first, as JupyterLab chooses. What would need code from elsewhere is left out.
        config.NbConvertBase.display_data_priority = [
            "text/html", "text/markdown", "image/svg+xml", "text/latex",
            "image/png", "image/jpeg", "text/plain",
        ]
        return config

    def default_filters(self):
        yield from super().default_filters()
        yield "markdown", self.markdown
        yield "rust", lambda source: code(source, self.language)
        yield "formula", formula
        yield "before", lambda id: self.press.fold("before", id, self.page)
        yield "after", lambda id: self.press.fold("after", id, self.page)

    @pass_context
    def markdown(self, context, source):
        """A text as HTML, with the pictures that are attached to its cell."""
        return render(source, self.page, context.get("cell", {}).get("attachments"))


def formula(latex):
    """What a cell shows as LaTeX: a formula between dollars, or without."""
    return mathml(latex.strip().strip("$"), "block")


class Press:
    """Makes one page after another."""

    def __init__(self, task):
        self.task = task
        folders = [Path(chapter["folder"]) for chapter in task["chapters"]]
        self.root = folders[0].parent
        self.book = Book(task["site"], self.root)
        self.templates = Environment(loader=FileSystemLoader(HERE), autoescape=True)
        self.shared = {
            "style": Markup((HERE / "style.css").read_text(encoding="utf-8")),
            "script": Markup((HERE / "page.js").read_text(encoding="utf-8")),
        }
        self.number = 0
        for chapter in task["chapters"]:
            source = Path(chapter["folder"]) / f"{chapter['name']}.ipynb"
            plain = f"{chapter['name']}.html"
            solved = f"solved/{plain}" if chapter["solved"] else None
            self.book.chapters[source] = (plain, solved)

    def print_all(self):
        """Makes all pages: chapters, first page, and then the files that they link to."""
        for number in range(len(self.task["chapters"])):
            self.print_chapter(number, solved=False)
            if self.task["chapters"][number]["solved"]:
                self.print_chapter(number, solved=True)
        self.print_index()
        done = set()
        while todo := [file for file in self.book.files if file not in done]:
            for file in todo:
                self.print_file(file, self.book.files[file])
                done.add(file)

    def write(self, template, page, **values):
        """Writes a page and says so."""
        self.number += 1
        print(f"page {self.number:3}: {page.name}", flush=True)
        values = {**self.shared, **self.notes(page), **values, "page": page}
        self.book.write(page.name, self.templates.get_template(template).render(values))

    def notes(self, page):
        """What stands at the foot of every page."""
        wanted = {"glossary": self.root / "GLOSSARY.md", "licence": "LICENSE.md"}
        wanted["licence"] = Path(self.task["chapters"][0]["folder"]) / "LICENSE.md"
        names = {key: self.book.name_of(file, False) for key, file in wanted.items()}
        return {key: page.to(name) for key, name in names.items() if name}

    def chapter(self, number, page):
        """What is said of a chapter on `page`, and the way there."""
        chapters = self.task["chapters"]
        if not 0 <= number < len(chapters):
            return None
        chapter = chapters[number]
        summary = chapter["summary"]
        source = Path(chapter["folder"]) / f"{chapter['name']}.ipynb"
        about = Page(self.book, page.name, source)
        solved = self.book.chapters[source][1]
        exercises = self.exercises(chapter)
        return {
            "address": page.to(self.book.name_of(source, page.solved)),
            "solved": page.to(solved) if solved else None,
            "title": Markup(inline(summary["title"], about)),
            "afterwards": Markup(inline(summary["afterwards"] or "", about)),
            "minutes": summary["minutes"],
            "exercises": len(exercises),
            "exercise_minutes": sum(self.task["exercises"][id]["minutes"] for id in exercises),
        }

    def exercises(self, chapter):
        """The ids of a chapter's exercises, in their order."""
        cells = nbformat.read(chapter["plain"], as_version=4).cells
        known = [id for id in exercises_of(cells) if id in self.task["exercises"]]
        return list(dict.fromkeys(known))

    def print_chapter(self, number, solved):
        """The page of a notebook."""
        chapter = self.task["chapters"][number]
        source = Path(chapter["folder"]) / f"{chapter['name']}.ipynb"
        plain, with_solutions = self.book.chapters[source]
        page = Page(self.book, with_solutions if solved else plain, source, solved)
        notebook = nbformat.read(chapter["solved" if solved else "plain"], as_version=4)
        self.mark_exercises(notebook)
        language = notebook.metadata.get("language_info", {}).get("name", "rust").lower()
        body, _ = Cells(self, page, language).from_notebook_node(notebook)
        other = plain if solved else with_solutions
        self.write(
            "page.html.j2", page,
            title=chapter["summary"]["title"],
            body=Markup(body),
            contents=contents(page),
            other=page.to(other) if other else None,
            previous=self.chapter(number - 1, page),
            next=self.chapter(number + 1, page),
            minutes=chapter["summary"]["minutes"],
        )

    def mark_exercises(self, notebook):
        """Notes at the first and the last cell of each exercise that it is one."""
        cells = notebook.cells
        ids = [id if id in self.task["exercises"] else None for id in exercises_of(cells)]
        for index, (cell, id) in enumerate(zip(cells, ids)):
            before = ids[index - 1] if index > 0 else None
            after = ids[index + 1] if index + 1 < len(ids) else None
            cell.metadata.book = {
                "opens": id if before != id else None,
                "closes": id if after != id else None,
            }
            if id and before != id:
                drop_heading(cell, id)

    def fold(self, part, id, page):
        """What stands before or after the cells of an exercise."""
        exercise = self.task["exercises"][id]
        if part == "before":
            name = page.take_id(f"exercise-{id}")
            page.headings.append(("exercise", name, escape(f"{id} · {exercise['title']}")))
        folds = self.templates.get_template("exercise.html.j2").module
        return getattr(folds, part)(
            id=id,
            title=exercise["title"],
            minutes=exercise["minutes"],
            hints=[Markup(inline(hint, page)) for hint in exercise["hints"]],
            why=Markup(render(exercise["why"], page)),
            solution=Markup(code(exercise["solution"], "rust")),
            solved=page.solved,
        )

    def print_index(self):
        """The first page."""
        page = Page(self.book, "index.html", self.root / "README.md")
        picture = self.root / self.task["picture"]
        chapters = [self.chapter(number, page) for number in range(len(self.task["chapters"]))]
        self.write(
            "index.html.j2", page,
            chapters=chapters,
            minutes=sum(chapter["minutes"] or 0 for chapter in chapters),
            exercise_minutes=sum(chapter["exercise_minutes"] for chapter in chapters),
            picture=data_url(picture) if picture.is_file() else None,
        )

    def print_file(self, file, name):
        """A file that a page links to: as a page if it is a text, and as it is otherwise."""
        text = text_of(file)
        if text is None:
            target = self.book.site / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            return
        page = Page(self.book, name, file)
        if file.suffix == ".md":
            body = render(text, page)
        else:
            body = f'<pre class="code"><code>{code(text, language_of(file))}</code></pre>'
        title = str(file.relative_to(self.root))
        self.write("page.html.j2", page, title=title, body=Markup(body), contents=contents(page),
                   path=title)


def exercises_of(cells):
    """The exercise of each cell, or nothing.

    The metadata of a code cell names it. A text before such a cell belongs to it if its heading
    names the exercise.
    """
    ids = [cell.metadata.get("exercise") for cell in cells]
    for index in range(len(cells) - 1):
        if ids[index] is None and ids[index + 1] and names(cells[index], ids[index + 1]):
            ids[index] = ids[index + 1]
    return ids


def names(cell, id):
    """Whether a cell is a text under a heading that names an exercise."""
    heading = cell.source.partition("\n")[0]
    return cell.cell_type == "markdown" and heading.startswith("#") and id in heading


def drop_heading(cell, id):
    """Takes away a heading that says what the fold around the exercise says."""
    if names(cell, id):
        cell.source = cell.source.partition("\n")[2].lstrip("\n")


def language_of(file):
    """The name by which the code in a file is coloured."""
    try:
        return get_lexer_for_filename(file.name).aliases[0]
    except ClassNotFound:
        return "text"


def contents(page):
    """The headings for a list of contents: those under the title."""
    wanted = [heading for heading in page.headings if heading[0] == 2 or heading[0] == "exercise"]
    return [(level, id, Markup(text)) for level, id, text in wanted]


def main():
    """Makes the book, or says in a sentence what is wrong."""
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    try:
        Press(task).print_all()
    except Fault as fault:
        sys.exit(f"error: {fault}")


if __name__ == "__main__":
    main()
