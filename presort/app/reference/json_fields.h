// The fields of every JSON document that the command prints or writes, as data. `presort help
// json-fields` prints these tables, and tests hold documents against them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "presort/io/json/json_object.h"

namespace presort::inline v0::app {

struct JsonType;

enum class Holds {
  value,   // the field is a number, text, true or false, or a list of these
  object,  // the field is one object of its type
  list,    // the field is a list of objects of its type
  // The field is an object whose keys are free names; each holds a list of objects of its type
  lists,
};

enum class When { always, sometimes };

struct JsonField {
  std::string_view name;
  std::string_view unit;  // "ns", "bytes", "fraction", "text", "true/false", …; "" with a type
  std::string_view doc;   // meaning of the field, one line
  Holds holds = Holds::value;
  const JsonType* type = nullptr;
  When when = When::always;  // sometimes: the field may be missing. Any field may be null.
};

struct JsonType {
  std::string_view name;
  std::string_view doc;
  std::span<const JsonField> fields;
  // Fields of another type that stand in the same object. Null: none.
  const JsonType* base = nullptr;
  When base_when = When::always;
  // A page in docs/reference/ that lists the fields of the object in place of this table; "" for none.
  std::string_view page = {};
};

struct JsonDocument {
  std::string_view schema;   // the value of its field "schema", "simulate/1"
  std::string_view printed;  // the command that prints the document, or the file it stands in
  const JsonType* type;
};

std::span<const JsonDocument> json_documents();

// Differences of a document from its table: "levels[0].hit: in no table", "plan: missing". Empty
// when it agrees.
std::vector<std::string> differences_from_table(const io::Json& document);

// All tables of JSON documents, as Markdown.
std::string json_fields_text();

}  // namespace presort::app
