// Built where SQLite was found. No other file knows SQLite.
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "presort/app/campaign/row_cells.h"
#include "presort/app/campaign/store/store.h"
#include "presort/core/error.h"
#include "presort/io/files/descriptor.h"

namespace presort::inline v0::app::campaign {
namespace {

// A database that is being written, and the path of the store for messages.
class Database {
 public:
  Database(const std::string& file, std::string path) : path_(std::move(path)) {
    check(sqlite3_open_v2(file.c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                          nullptr));
  }
  ~Database() { sqlite3_close_v2(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  sqlite3* get() const { return database_; }
  void run(const std::string& sql) {
    check(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr));
  }
  void check(int code) const {
    if (code != SQLITE_OK && code != SQLITE_DONE) {
      throw InputError(path_ + ": cannot be written: " +
                       (database_ != nullptr ? sqlite3_errmsg(database_) : sqlite3_errstr(code)));
    }
  }

 private:
  std::string path_;
  sqlite3* database_ = nullptr;
};

// A statement that is run again and again with other values.
class Statement {
 public:
  Statement(Database& database, const std::string& sql) : database_(database) {
    database.check(sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &statement_, nullptr));
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void add(const std::string& text) {
    database_.check(sqlite3_bind_text(statement_, ++bound_, text.data(),
                                      static_cast<int>(text.size()), SQLITE_TRANSIENT));
  }
  void add(uint64_t number) {
    database_.check(sqlite3_bind_int64(statement_, ++bound_, static_cast<sqlite3_int64>(number)));
  }
  void add(const std::optional<double>& number) {
    ++bound_;
    database_.check(number ? sqlite3_bind_double(statement_, bound_, *number)
                           : sqlite3_bind_null(statement_, bound_));
  }
  void run() {
    database_.check(sqlite3_step(statement_));
    database_.check(sqlite3_reset(statement_));
    bound_ = 0;
  }

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    text += c == '"' ? "\"\"" : std::string(1, c);
  }
  return text + "\"";
}

void write_identity(Database& database, const io::Identity& identity) {
  database.run("CREATE TABLE campaign (key TEXT NOT NULL, value TEXT NOT NULL)");
  Statement insert(database, "INSERT INTO campaign VALUES (?, ?)");
  for (const auto& [key, value] : identity) {
    insert.add(key);
    insert.add(value);
    insert.run();
  }
}

void write_points(Database& database, const Points& points, std::span<const io::CampaignRow> rows) {
  std::string columns = "point INTEGER PRIMARY KEY";
  std::string places = "?";
  for (const Axis& axis : column_axes(points)) {
    columns += ", " + quoted_name(axis.name) + (axis.is_number ? " INTEGER" : " TEXT");
    places += ", ?";
  }
  const bool has_runs = points.campaign().mode == io::CampaignMode::validate;
  database.run("CREATE TABLE points (" + columns + ", direct_ns REAL, presorted_ns REAL" +
               (has_runs ? ", measured_ns REAL" : "") + ", gain REAL, plan TEXT, why_not TEXT)");
  places += has_runs ? ", ?" : "";
  Statement insert(database, "INSERT INTO points VALUES (" + places + ", ?, ?, ?, ?, ?)");
  for (const io::CampaignRow& row : rows) {
    insert.add(row.point);
    for (const std::string& cell : point_cells(points, row.point)) {
      insert.add(cell);  // the column's type makes a number of it
    }
    insert.add(row.direct_ns);
    insert.add(row.presorted_ns);
    if (has_runs) {
      insert.add(row.measured_ns);
    }
    insert.add(gain(row));
    insert.add(plan_cell(points, row));
    insert.add(row.why_not);
    insert.run();
  }
}

// The hidden file that becomes the store; removed unless take_name() was called.
class Hidden {
 public:
  explicit Hidden(const std::string& path) : path_(path), hidden_(hidden_name(path)) {
    std::remove(hidden_.c_str());
  }
  ~Hidden() {
    if (!hidden_.empty()) {
      std::remove(hidden_.c_str());
    }
  }
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;

  const std::string& file() const { return hidden_; }
  void take_name() {
    const io::Descriptor file(open(hidden_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file || fsync(file.get()) != 0 || std::rename(hidden_.c_str(), path_.c_str()) != 0) {
      throw InputError(path_ + ": cannot be written: " + std::strerror(errno));
    }
    hidden_.clear();
  }

 private:
  static std::string hidden_name(const std::string& path) {
    const std::filesystem::path target(path);
    return (target.parent_path() / ("." + target.filename().string() + ".tmp")).string();
  }

  std::string path_;
  std::string hidden_;
};

}  // namespace

bool has_store() {
  return true;
}

void write_store(const std::string& path, const Opened& campaign,
                 std::span<const io::CampaignRow> rows) {
  Hidden hidden(path);
  {
    Database database(hidden.file(), path);
    // The file has no name yet: what a crash leaves of it is thrown away.
    database.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    write_identity(database, campaign.identity);
    write_points(database, campaign.points, rows);
    database.run("COMMIT");
  }
  hidden.take_name();
}

}  // namespace presort::app::campaign
