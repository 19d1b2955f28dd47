#include "app/validate/predict_points.h"

#include "app/parallel.h"
#include "app/problem_options.h"

namespace presort::app {

void predict_points(std::vector<ProblemPoints>& all, const Machine& machine,
                    const predict::SimulationOptions& options, Progress& progress) {
  struct Job {
    ProblemPoints* item;
    Point* point;
  };
  std::vector<Job> jobs;
  for (ProblemPoints& item : all) {
    for (Point& point : item.points) {
      jobs.push_back({&item, &point});
    }
  }
  const predict::Predictor predictor(machine, options);
  size_t done = 0;
  parallel_for(
      jobs.size(),
      [&](size_t i) {
        const Problem& problem = jobs[i].item->problem;
        jobs[i].point->prediction =
            predictor.predict(problem, jobs[i].point->plan, problem_labels(problem));
      },
      [&](size_t i) { progress.update(++done, jobs.size(), to_string(jobs[i].item->problem)); });
}

}  // namespace presort::app
