package figures_test

import "maps"

// partitionColumns are the columns of those figures of dynamicshare that are about the assignment of partitions.
var partitionColumns = map[string]string{}

// dynamicshareColumns are those of all its figures.
func dynamicshareColumns() map[string]string {
	all := maps.Clone(partitionColumns)
	maps.Copy(all, jobColumns)
	return all
}
