package workload

import "fmt"

const (
	maxTasks     = 1<<29 - 1 // slotmodel.Run takes no more
	defaultTasks = 1 << 24
)

// taskBudget counts the tasks of a file against the limit: a line of a few bytes can name more of
// them than a run has memory for.
type taskBudget struct{ tasks, most int }

// take adds the tasks of a job and says what is wrong if they are too many.
func (b *taskBudget) take(n int) (reason string) {
	if b.tasks += n; b.tasks > b.most {
		return tooManyTasks(float64(b.tasks), b.most)
	}
	return ""
}

func tooManyTasks(tasks float64, most int) string {
	return fmt.Sprintf("brings the tasks of all jobs to %s, more than MaxTasks = %d: a run takes 5 bytes for each, and some 400 for each that runs",
		appendNumber(nil, tasks), most)
}
