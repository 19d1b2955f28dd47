// Built where Arrow was found. No other file knows Arrow.
#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "presort/app/campaign/parquet/parquet.h"
#include "presort/app/campaign/row_cells.h"
#include "presort/core/error.h"

namespace presort::inline v0::app::campaign {
namespace {

// Where Arrow writes: bytes go on to a function.
class Sink : public arrow::io::OutputStream {
 public:
  explicit Sink(const std::function<void(std::string_view)>& take) : take_(take) {}

  arrow::Status Write(const void* data, int64_t count) override {
    take_({static_cast<const char*>(data), static_cast<size_t>(count)});
    written_ += count;
    return arrow::Status::OK();
  }
  arrow::Status Close() override {
    is_closed_ = true;
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> Tell() const override { return written_; }
  bool closed() const override { return is_closed_; }

 private:
  const std::function<void(std::string_view)>& take_;
  int64_t written_ = 0;
  bool is_closed_ = false;
};

class Columns {
 public:
  Columns(std::string path, const Points& points)
      : path_(std::move(path)),
        points_(points),
        has_runs_(points.campaign().mode == io::CampaignMode::validate) {
    for (const Axis& axis : column_axes(points)) {
      is_number_.push_back(axis.is_number);
      names_.push_back(axis.name);
    }
  }

  std::shared_ptr<arrow::Schema> schema() const {
    arrow::FieldVector fields = {arrow::field("point", arrow::uint64(), false)};
    for (size_t i = 0; i < names_.size(); ++i) {
      fields.push_back(
          arrow::field(names_[i], is_number_[i] ? arrow::uint64() : arrow::utf8(), false));
    }
    fields.push_back(arrow::field("direct_ns", arrow::float64()));
    fields.push_back(arrow::field("presorted_ns", arrow::float64()));
    if (has_runs_) {
      fields.push_back(arrow::field("measured_ns", arrow::float64()));
    }
    fields.push_back(arrow::field("gain", arrow::float64()));
    fields.push_back(arrow::field("plan", arrow::utf8(), false));
    fields.push_back(arrow::field("why_not", arrow::utf8(), false));
    return arrow::schema(std::move(fields));
  }

  std::shared_ptr<arrow::RecordBatch> batch(std::span<const io::CampaignRow> rows) const {
    arrow::UInt64Builder point;
    std::vector<arrow::UInt64Builder> numbers(names_.size());
    std::vector<arrow::StringBuilder> texts(names_.size());
    arrow::DoubleBuilder direct;
    arrow::DoubleBuilder presorted;
    arrow::DoubleBuilder measured;
    arrow::DoubleBuilder gains;
    arrow::StringBuilder plan;
    arrow::StringBuilder why_not;
    for (const io::CampaignRow& row : rows) {
      check(point.Append(row.point));
      const std::vector<std::string> cells = point_cells(points_, row.point);
      for (size_t i = 0; i < cells.size(); ++i) {
        check(is_number_[i] ? numbers[i].Append(std::strtoull(cells[i].c_str(), nullptr, 10))
                            : texts[i].Append(cells[i]));
      }
      add(direct, row.direct_ns);
      add(presorted, row.presorted_ns);
      add(measured, row.measured_ns);
      add(gains, gain(row));
      check(plan.Append(plan_cell(points_, row)));
      check(why_not.Append(row.why_not));
    }
    arrow::ArrayVector arrays = {finish(point)};
    for (size_t i = 0; i < names_.size(); ++i) {
      arrays.push_back(is_number_[i] ? finish(numbers[i]) : finish(texts[i]));
    }
    arrays.push_back(finish(direct));
    arrays.push_back(finish(presorted));
    if (has_runs_) {
      arrays.push_back(finish(measured));
    }
    arrays.push_back(finish(gains));
    arrays.push_back(finish(plan));
    arrays.push_back(finish(why_not));
    return arrow::RecordBatch::Make(schema(), static_cast<int64_t>(rows.size()), std::move(arrays));
  }

  void check(const arrow::Status& status) const {
    if (!status.ok()) {
      throw InputError(path_ + ": cannot be written: " + status.ToString());
    }
  }

 private:
  void add(arrow::DoubleBuilder& column, const std::optional<double>& number) const {
    check(number ? column.Append(*number) : column.AppendNull());
  }
  template <class Builder>
  std::shared_ptr<arrow::Array> finish(Builder& builder) const {
    std::shared_ptr<arrow::Array> array;
    check(builder.Finish(&array));
    return array;
  }

  std::string path_;
  const Points& points_;
  bool has_runs_;
  std::vector<bool> is_number_;
  std::vector<std::string> names_;
};

}  // namespace

void write_parquet(const std::string& path, const Points& points,
                   std::span<const io::CampaignRow> rows,
                   const std::function<void(std::string_view)>& take) {
  const Columns columns(path, points);
  auto opened = parquet::arrow::FileWriter::Open(*columns.schema(), arrow::default_memory_pool(),
                                                 std::make_shared<Sink>(take));
  columns.check(opened.status());
  const std::unique_ptr<parquet::arrow::FileWriter> writer = std::move(opened).ValueUnsafe();
  for (size_t first = 0; first < rows.size(); first += kParquetRows) {
    const size_t count = std::min(kParquetRows, rows.size() - first);
    const auto table = arrow::Table::FromRecordBatches({columns.batch(rows.subspan(first, count))});
    columns.check(table.status());
    columns.check(writer->WriteTable(**table, static_cast<int64_t>(kParquetRows)));
  }
  columns.check(writer->Close());
}

}  // namespace presort::app::campaign
