#include "presort/io/plans/problem_file.h"

#include "presort/io/files/atomic_file.h"
#include "presort/io/plans/plan_yaml.h"

namespace presort::inline v0::io {
namespace {

std::vector<Problem> bind_problems(const YamlDocument& document) {
  MapReader root = open_document(document, "problem/1");
  std::vector<Problem> problems;
  if (const auto list = root.optional("problems")) {
    for (const ValueReader& item : list->list()) {
      MapReader map = item.map();
      problems.push_back(read_problem_keys(map, Buckets::one).front());
      map.finish();
    }
    if (problems.empty()) {
      list->fail("at least one problem");
    }
  } else {
    problems = read_problem_keys(root, Buckets::one);
  }
  root.finish();
  return problems;
}

}  // namespace

std::vector<Problem> read_problems(const std::string& path) {
  return bind_problems(load_yaml(path));
}

std::vector<Problem> parse_problems(const std::string& text, const std::string& file) {
  return bind_problems(parse_yaml(text, file));
}

std::string problems_to_text(const std::vector<Problem>& problems) {
  std::string text = "presort: problem/1\nproblems:\n";
  for (const Problem& problem : problems) {
    FlowMap map;
    add_problem_keys(map, problem);
    text += "  - " + map.str() + "\n";
  }
  return text;
}

void write_problems(const std::string& path, const std::vector<Problem>& problems) {
  write_atomically(path, problems_to_text(problems));
}

}  // namespace presort::io
