"""The jars of the Java client, in a repository of Maven."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as xml
import zipfile
from collections.abc import Sequence
from pathlib import Path

from packages.steps import CLIENTS, Shop, demand, last_line, run
from support.java import build_folder

SOURCE = CLIENTS / "java"
KINDS = ("", "-sources", "-javadoc")
FACTS = ("name", "description", "licenses/license/name", "developers/developer/name")
PROJECT = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>mine</groupId>
  <artifactId>mine</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories><repository><id>built</id><url>{repository}</url></repository></repositories>
  <dependencies>{dependency}</dependencies>
</project>
"""


class Jar:
    name = "java client"
    programs = ("java", "javac", "mvn")

    def build(self, shop: Shop) -> Sequence[Path]:
        repository = f"built::{(shop.folder / 'repository').as_uri()}"
        with build_folder():
            run(
                "mvn", "-q", "-B", "-P", "release", "deploy", "-DskipTests",
                f"-DaltDeploymentRepository={repository}", cwd=SOURCE,
            )  # fmt: skip
        return sorted((shop.folder / "repository").rglob("*.jar")) + sorted(shop.folder.rglob("*.pom"))

    def check(self, shop: Shop, files: Sequence[Path]) -> str:
        (pom,) = (file for file in files if file.suffix == ".pom")
        stem = pom.name.removesuffix(".pom")
        names = {file.name for file in files}
        wanted = {f"{stem}{kind}.jar" for kind in KINDS} | {pom.name}
        demand(names == wanted, f"there are {sorted(names)}")
        namespace = {"": "http://maven.apache.org/POM/4.0.0"}
        found = xml.parse(pom).getroot()
        lacking = [fact for fact in FACTS if not found.findtext(fact, "", namespace)]
        demand(not lacking, f"the pom lacks {', '.join(lacking)}")
        inside = zipfile.ZipFile(pom.with_name(f"{stem}.jar")).namelist()
        demand("META-INF/LICENSE" in inside, "the jar has no LICENSE")
        demand(
            not [name for name in inside if name.startswith("build/buf/")], "it has classes of protovalidate"
        )
        return "sources, javadoc, facts of the pom, LICENSE"

    def install(self, shop: Shop, files: Sequence[Path]) -> None:
        readme = (SOURCE / "README.md").read_text()
        (dependency,) = re.findall(r"```xml\n(.*?)```", readme, re.DOTALL)
        home = shop.made("home")
        sources = shop.made("home/src/main/java")
        repository = (shop.folder / "repository").as_uri()
        (home / "pom.xml").write_text(PROJECT.format(repository=repository, dependency=dependency))
        (sources / "First.java").write_text(re.findall(r"```java\n(.*?)```", readme, re.DOTALL)[0])
        run("mvn", "-q", "-B", "compile", "dependency:copy-dependencies", cwd=home)

    def play(self, shop: Shop) -> str:
        home = shop.folder / "home"
        classes = os.pathsep.join(["target/classes", "target/dependency/*"])
        settings = {"SHEDU_SERVER": shop.serve.address, "SHEDU_TOKEN": ""}
        return last_line(run("java", "-cp", classes, "First", cwd=home, **settings))
