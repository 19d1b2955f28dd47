// The kept reference documentation is what the field tables yield, and its examples are read.
#include "presort/io/reference/references.h"

#include <doctest/doctest.h>

#include "fixtures.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/problem_file.h"
#include "presort/io/yaml/yaml_tree.h"

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

std::string text_of(const std::string& name) {
  for (const Reference& reference : references()) {
    if (reference.name == name) {
      return reference.text();
    }
  }
  FAIL(name);
  return "";
}

// The first block of YAML.
std::string example_of(const std::string& text) {
  const std::string opening = "```yaml\n";
  const size_t begin = text.find(opening) + opening.size();
  return text.substr(begin, text.find("```\n", begin) - begin);
}

}  // namespace

TEST_CASE("docs/reference/ is what the tables say") {
  for (const Reference& reference : references()) {
    const std::string path = source_path("docs/reference/" + reference.name + ".md");
    INFO("presort help " << reference.name << " > " << path);
    CHECK(read_text_file(path) == reference.text());
  }
}

TEST_CASE("the examples of the reference are read") {
  const Machine machine = parse_machine(example_of(text_of("machine-keys")), "example");
  CHECK(machine.caches.size() == 3);
  CHECK(parse_problems(example_of(text_of("problem-keys")), "example").size() == 2);
}

TEST_CASE("a row of the reference says what is accepted and what holds otherwise") {
  const std::string text = text_of("machine-keys");
  for (const char* line :
       {"## `cpu.caches[]`\n", "| `size` | 64B to 1TiB",
        "| `sharedBy` | 1 to 4096 | `1` | `shared_by` | cores that share an instance of the "
        "level |\n",
        "| `queue` | 1 to 4096 | that of the level above; required of the first | `queue` |",
        "| `inclusion` | `nonInclusive`, `inclusive`, `exclusive` | `nonInclusive` |",
        "average seek (with kind: disk) |\n"}) {
    CAPTURE(line);
    CHECK(contains(text, line));
  }
}
