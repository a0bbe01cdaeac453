"""Builds the wheel of the Python client: `python build.py [FOLDER]` writes it to FOLDER, or to dist/.

Needs the packages of requirements.txt and no network. The version is that of docs/openapi.json.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
INTERFACE = HERE.parent.parent / "docs" / "openapi.json"


def build(wheels: Path) -> None:
    """Generates the operations, puts the package `masthead` beside them, and packs both."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        generate(source / "masthead_client")
        shutil.copytree(HERE / "masthead", source / "masthead", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ["README.md", "pyproject.toml"]:
            shutil.copy(HERE / name, source)
        (source / "VERSION").write_text(json.loads(INTERFACE.read_text(encoding="utf-8"))["info"]["version"])
        run("pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", wheels, source)


def generate(package: Path) -> None:
    """Writes the operations and models. Fails if the generator leaves anything out."""
    options = ["--fail-on-warning", "--meta", "none", "--config", HERE / "generator.yml", "--path", INTERFACE]
    run("openapi_python_client", "generate", *options, "--output-path", package)


def run(module: str, *arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], check=True)


if __name__ == "__main__":
    build(Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "dist"))
