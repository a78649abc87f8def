package figures_test

// jobColumns are the columns of those figures of dynamicshare that are about estimates, laxities and stragglers.
var jobColumns = map[string]string{}
