#include "presort/app/reference/help_topics.h"

#include "presort/app/reference/command_pages.h"
#include "presort/app/reference/json_fields.h"

namespace presort::inline v0::app {

const std::vector<io::Reference>& help_topics() {
  static const std::vector<io::Reference> all = [] {
    std::vector<io::Reference> topics = io::references();
    topics.push_back({"commands", "every option of every subcommand", commands_text});
    topics.push_back({"json-fields", "every field of what --json prints", json_fields_text});
    topics.push_back({"exit-codes", "what the exit status means", exit_codes_text});
    return topics;
  }();
  return all;
}

}  // namespace presort::app
