#!/usr/bin/env python3
"""Lays out the documents for MkDocs: site_source.py REPOSITORY FOLDER

Copies every Markdown file of the documents to the place that it has in the repository, so that relative
links stay as they are, and with them each file that they link to. Three things are changed, as MkDocs reads
them otherwise than GitHub: a block's first line keeps only its language; links to a folder go to its
README.md, or to a list of its files; a source file that is linked to becomes a page with its text. Writes
mkdocs.yml, with a menu in the order of docs/README.md.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

LINK = re.compile(r"(?<!\!)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^(\s*)(```+|~~~+)[ ]*([\w#.+-]*).*$")
PICTURES = {".svg", ".png", ".jpg"}
TITLES = {
    "tutorial": "Tutorial",
    "how-to": "How to",
    "reference": "Reference",
    "explanation": "Explanation",
    "results": "Results",
}


def tracked_files(root):
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True,
    )
    return sorted(set(listed.stdout.splitlines()))


def pages_of(files):
    """The Markdown files of the site: the documents and those beside the parts that they are on."""
    return [name for name in files if name.endswith(".md") and not re.match(r"tests/docs/(broken|works)/", name)]


def language_of(name):
    return {".cpp": "cpp", ".h": "cpp", ".cuh": "cpp", ".cu": "cpp", ".py": "python", ".sh": "bash",
            ".yaml": "yaml", ".cmake": "cmake", ".toml": "toml"}.get(Path(name).suffix, "text")


class Layout:
    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        self.files = tracked_files(root)
        self.known = set(self.files)
        self.pages = pages_of(self.files)
        self.made = set()  # pages made of source files and folders

    def write(self, name, text):
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def source_page(self, name):
        """A page with the text of a source file; its name has .md added."""
        page = name + ".md"
        if page not in self.made:
            self.made.add(page)
            text = (self.root / name).read_text(errors="replace")
            self.write(page, f"# {name}\n\n````````{language_of(name)}\n{text}\n````````\n")
        return page

    def folder_page(self, name):
        """A page that lists the files of a folder without a README."""
        page = f"{name}/index.md"
        if page not in self.made:
            self.made.add(page)
            inside = [file for file in self.files if file.startswith(name + "/")]
            self.write(page, f"# {name}/\n\n" + "\n".join(f"- {file}" for file in inside) + "\n")
        return page

    def target_of(self, page, target):
        """The target of a relative link of a page, as the site has it."""
        path, mark, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", target):
            return target
        resolved = (Path("/") / Path(page).parent / path).resolve().relative_to("/").as_posix()
        resolved = "" if resolved == "." else resolved
        inside = [name for name in self.known if name.startswith(resolved + "/")]
        if resolved in self.known and not resolved.endswith(".md"):
            suffix = Path(resolved).suffix
            data = suffix in PICTURES or suffix in {".gz", ".jsonl", ".json", ".log"}
            if data:
                destination = self.folder / resolved
                destination.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.root / resolved, destination)
            else:
                resolved = self.source_page(resolved)
        elif resolved not in self.known and inside:
            readme = f"{resolved}/README.md"
            resolved = readme if readme in self.known else self.folder_page(resolved)
        up = "../" * (len(Path(page).parts) - 1)
        return up + resolved + mark + anchor

    def page_text(self, name):
        lines, fence = [], ""
        for line in (self.root / name).read_text().splitlines():
            match = FENCE.match(line)
            if match and not fence:
                fence = match[2]
                line = f"{match[1]}{match[2]}{match[3]}"
            elif match and match[2].startswith(fence):
                fence = ""
            elif not fence:
                line = re.sub(r"(\!?\[[^\]]*\])\(([^)\s]+)\)",
                              lambda link: f"{link[1]}({self.target_of(name, link[2])})", line)
            lines.append(line)
        return "\n".join(lines) + "\n"

    def menu(self):
        """Pages by part, each part in the order in which docs/README.md, then its own README, links them."""
        order = []
        for page in ("docs/README.md", "docs/explanation/README.md", "docs/results/README.md"):
            for link in LINK.finditer((self.root / page).read_text()):
                path = link["target"].partition("#")[0]
                resolved = (Path("/") / Path(page).parent / path).resolve().relative_to("/").as_posix()
                if resolved in self.known and resolved not in order:
                    order.append(resolved)
        entries = [{"Overview": "README.md"}, {"All documents": "docs/README.md"}]
        for part, title in TITLES.items():
            of_part = [page for page in self.pages if page.startswith(f"docs/{part}/")]
            of_part.sort(key=lambda page: (not page.endswith("README.md"),
                                           order.index(page) if page in order else len(order), page))
            entries.append({title: of_part})
        return entries + [{"Glossary": "docs/glossary.md"}, {"Architecture": "ARCHITECTURE.md"},
                          {"Changes": "CHANGELOG.md"}]

    def run(self):
        for page in self.pages:
            self.write(page, self.page_text(page))
        config = {
            "site_name": "presort",
            "docs_dir": "pages",
            "use_directory_urls": False,
            "theme": {
                "name": "material",
                "font": False,
                "features": ["content.code.copy", "navigation.indexes", "navigation.top", "search.suggest"],
                "palette": [
                    {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "blue grey"},
                    {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "blue grey"},
                ],
            },
            "plugins": ["search"],
            "markdown_extensions": ["tables", "attr_list", "pymdownx.superfences",
                                    {"pymdownx.highlight": {"use_pygments": True}}],
            "validation": {"omitted_files": "ignore", "not_found": "warn", "anchors": "warn",
                           "absolute_links": "warn", "unrecognized_links": "warn"},
            "nav": self.menu(),
        }
        # JSON is YAML; the slugs of headings are those of GitHub.
        text = json.dumps(config, indent=1)
        slugs = ('{"toc": {"permalink": true, "slugify": !!python/object/apply:pymdownx.slugs.slugify '
                 '{"kwds": {"case": "lower"}}}}')
        text = text.replace('"markdown_extensions": [', '"markdown_extensions": [' + slugs + ",", 1)
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder.parent / "mkdocs.yml").write_text(text)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    Layout(root, folder / "pages").run()


if __name__ == "__main__":
    main()
