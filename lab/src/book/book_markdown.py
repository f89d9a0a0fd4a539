"""Markdown as HTML, with everything that it needs in the page.

Mathematics becomes MathML, which browsers draw by themselves. Pictures become part of the page.
Links between files become links between pages.
"""

import base64
import html
import mimetypes
import re
from pathlib import Path

from latex2mathml.converter import convert
from mistune.util import escape, striptags
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound


class Fault(Exception):
    """What is wrong with a notebook, in words for the person who wrote it."""


def code(source, language):
    """Code with a class on everything that has a colour."""
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return escape(source)
    return highlight(source, lexer, HtmlFormatter(nowrap=True)).rstrip("\n")


def mathml(formula, display):
    """A formula as MathML."""
    try:
        result = convert(formula, display=display)
    except Exception as error:
        raise Fault(f"the formula {formula!r} cannot be read: {error!r}") from error
    # A command that it does not know, it leaves as it is.
    unknown = re.search(r"\\[A-Za-z]+", html.unescape(striptags(result)))
    if unknown:
        raise Fault(f"the formula {formula!r} has a command that is not known: {unknown[0]}")
    return result


class Renderer(IPythonRenderer):
    """Makes HTML of the Markdown of one page, and notes its headings."""

    def __init__(self, page, attachments=None):
        super().__init__(escape=False, attachments=attachments or {})
        self.page = page

    def heading(self, text, level, **_):
        """A heading that can be linked to, by the name that JupyterLab gives it."""
        name = html.unescape(striptags(text)).strip().replace(" ", "-")
        name = self.page.take_id(name)
        self.page.headings.append((level, name, text))
        quoted = escape(name)
        anchor = f'<a class="anchor" href="#{quoted}" aria-label="Link to this place">#</a>'
        return f'<h{level} id="{quoted}">{text}{anchor}</h{level}>\n'

    def block_code(self, code_text, info=None):
        language = (info or "text").split()[0]
        return f'<pre class="code"><code>{code(code_text.rstrip(), language)}</code></pre>\n'

    def table(self, text):
        return f'<div class="wide"><table>{text}</table></div>\n'

    def link(self, text, url, title=None):
        address = self.page.address(url)
        if address is None:
            return text
        title = f' title="{escape(title)}"' if title else ""
        return f'<a href="{escape(address)}"{title}>{text}</a>'

    def image(self, text, url, title=None):
        if url.startswith("attachment:"):
            return super().image(text, url, title)
        file = (self.page.source.parent / url).resolve()
        if not url.startswith("data:"):
            if not file.is_file():
                raise Fault(f"there is no picture {url}")
            url = data_url(file)
        title = f' title="{escape(title)}"' if title else ""
        return f'<img alt="{escape(striptags(text))}" src="{escape(url)}"{title}>'

    def inline_math(self, body):
        return mathml(body, "inline")

    def block_math(self, body):
        return mathml(body, "block")

    def latex_environment(self, name, body):
        return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", "block")


def data_url(file):
    """A file as an address that carries it."""
    kind = mimetypes.guess_type(Path(file).name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(Path(file).read_bytes()).decode()}"


def render(source, page, attachments=None):
    """Markdown as HTML."""
    try:
        return MarkdownWithMath(renderer=Renderer(page, attachments)).render(source)
    except Fault as fault:
        raise Fault(f"{page.source}: {fault}") from None


def inline(source, page):
    """One line of Markdown as HTML, without a paragraph around it."""
    text = render(source, page).strip()
    return text.removeprefix("<p>").removesuffix("</p>")
