// The fields of every JSON document that the command prints or writes, as data. `presort help
// json-fields` prints these tables, and tests compare documents with them.
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
  // Unit of the field's value: "ns", "bytes", "fraction", "text", "true/false", …; "" for objects
  // and lists of them
  std::string_view unit;
  std::string_view doc;  // meaning of the JSON field, one line
  Holds holds = Holds::value;
  const JsonType* type = nullptr;
  When when = When::always;  // sometimes: the field may be missing. Any field may be null.
};

struct JsonType {
  std::string_view name;
  std::string_view doc;
  std::span<const JsonField> fields;
  // Type whose fields stand in the same object too; null: none.
  const JsonType* base = nullptr;
  When base_when = When::always;
  // A page in docs/reference/ that lists the object's fields instead of this table; "": none.
  std::string_view page = {};
};

struct JsonDocument {
  std::string_view schema;   // value of the document's field "schema": "simulate/1"
  std::string_view printed;  // the command that prints the document, or the file that it stands in
  const JsonType* type;
};

std::span<const JsonDocument> json_documents();

// Differences of a document from the table of its fields: "levels[0].hit: in no table", "plan:
// missing". Empty when they agree.
std::vector<std::string> differences_from_table(const io::Json& document);

// All tables of JSON documents, as Markdown.
std::string json_fields_text();

}  // namespace presort::app
