package workload

// What SyntheticFB2010 is made from: counts and rounded quantiles of the jobs of the Facebook trace
// that SWIM calls FB-2010, in bytes and in bytes per byte. Tails are bent so that class totals come
// out, not fitted job by job.

// How many jobs there are of each kind. With the giants they are 24,442.
const (
	fbShuffled = 15366 // map, shuffle and reduce
	fbMapOnly  = 7654  // input and output, no shuffle
	fbReadOnly = 261   // input alone
	fbMakeOnly = 281   // output alone
	fbProbes   = 748   // a byte or so of input, some ten of shuffle, no output
	fbEmpty    = 127   // nothing at all
	fbJobs     = fbShuffled + fbMapOnly + fbReadOnly + fbMakeOnly + fbProbes + fbEmpty + 5
)

// fbGiants are jobs that no smooth tail gives: input, shuffle and output, each to be taken within a
// few percent. The first fbTogether of them come within minutes of each other.
var fbGiants = [5][3]float64{
	{4.7e12, 2.9e13, 2e9},
	{4.7e12, 2.9e13, 2e9},
	{4.7e12, 2.9e13, 2e9},
	{6e10, 6e10, 8.5e13},
	{0, 0, 5e12},
}

const fbTogether = 3

// Levels at which the marginals and the ratios below are tabulated.
var (
	fbLevels = []float64{0, 0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9,
		0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 1}
	fbRatioLevels = []float64{0, 0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.96, 0.99, 1}
)

// Shuffle bytes of the jobs that shuffle; input over shuffle and output over shuffle of those whose
// shuffle ranks in each of the groups that fbShuffleCuts makes.
var (
	fbShuffle      = []float64{18, 18, 33, 71, 320, 740, 2400, 7700, 1.1e4, 4.5e4, 2.8e5, 9.9e5, 4.2e6, 1.4e7, 3.2e7, 9.8e7, 1.8e8, 2.8e8, 9.8e8, 3.2e9, 2.6e10, 1.6e11, 4.4e11, 1.24e12, 2.05e12, 3.27e12, 9.51e12}
	fbShuffleCuts  = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995, 1}
	fbShuffleInput = [][]float64{
		{3.4, 8.6, 14, 17, 18, 22, 1900, 3.3e4, 1.1e5, 1.1e5, 3.45e5, 4.29e6, 1.27e7, 2.02e7},
		{0.0015, 1.3, 1.5, 1.5, 1.9, 2.6, 3.9, 6.5, 13, 1000, 1.28e5, 3.86e6, 6.12e6, 1.18e7},
		{0.004, 0.13, 0.74, 0.9, 1.1, 1.9, 4.3, 13, 930, 1.8e5, 3.14e6, 1.26e7, 1.39e7, 1.69e7},
		{0.035, 0.25, 0.54, 0.71, 1.3, 1.7, 1.8, 1.8, 2, 46, 2.08e5, 3.39e6, 4.85e6, 6.06e6},
		{0.0011, 0.19, 0.4, 0.47, 0.62, 0.85, 1.5, 33, 110, 3700, 1.97e4, 1.14e5, 3.19e6, 4.01e6},
		{0.054, 0.23, 0.4, 0.64, 0.77, 1.1, 1.4, 2.8, 15, 280, 1650, 6340, 2.46e4, 5.61e4},
		{0.027, 0.37, 0.61, 0.65, 0.74, 1, 3.6, 9.8, 39, 86, 195, 1570, 1.64e4, 5.74e4},
		{0.053, 0.39, 0.43, 0.48, 0.49, 0.67, 1.9, 8.7, 13, 15, 38, 613, 5100, 1.65e4},
		{0.069, 0.31, 0.54, 0.92, 1.2, 1.5, 2.4, 3.4, 4.9, 11, 36.6, 238, 1100, 4570},
		{0.053, 0.26, 0.38, 0.55, 0.82, 1.2, 1.8, 3.5, 5.7, 9.7, 15.3, 111, 167, 550},
		{0.1, 0.2, 0.31, 0.41, 0.56, 0.84, 1.3, 1.8, 2.5, 5.1, 11.8, 18.1, 45.3, 49.4},
		{0.091, 0.1, 0.2, 0.26, 0.34, 0.44, 0.57, 0.77, 1.1, 1.9, 3.38, 5.03, 7.05, 8.47},
		{0.11, 0.14, 0.19, 0.26, 0.3, 0.34, 0.37, 0.54, 0.69, 1.2, 1.38, 2.62, 2.69, 2.69},
	}
	fbShuffleOutput = [][]float64{
		{0.37, 0.83, 1.1, 3.9, 5.8, 6.2, 6.6, 6.6, 6.8, 7.4, 8.78, 11.2, 26.7, 9.04e6},
		{0.039, 0.086, 0.37, 0.54, 0.68, 1, 1.6, 2.9, 82, 6.6e5, 3.02e6, 1.24e7, 1.8e7, 8.57e7},
		{0.0037, 0.004, 0.053, 0.14, 0.26, 0.37, 0.51, 0.59, 0.8, 5.4, 15.6, 3.87e6, 1.49e7, 2.74e7},
		{0.0006, 0.0087, 0.025, 0.039, 0.14, 0.39, 1.3, 7, 7.3, 8.3, 2.02e4, 4.17e5, 2.57e6, 4.12e7},
		{0.00014, 0.00044, 0.0015, 0.016, 0.045, 0.083, 0.12, 0.19, 0.27, 0.36, 0.44, 0.709, 4.67, 5.67e6},
		{4.4e-6, 2.5e-5, 9e-5, 0.00024, 0.0012, 0.0066, 0.015, 0.037, 0.13, 0.28, 0.571, 0.781, 3.11, 51.5},
		{3.2e-7, 3.3e-6, 1.1e-5, 4.1e-5, 0.00035, 0.00089, 0.0029, 0.0072, 0.037, 0.36, 0.539, 0.616, 1.23, 4.75},
		{1.8e-7, 1.1e-6, 1.8e-5, 7.7e-5, 0.00015, 0.00046, 0.0043, 0.084, 0.46, 0.51, 0.589, 0.646, 1.83, 24.2},
		{3.4e-8, 4.4e-7, 2.8e-5, 0.00072, 0.0071, 0.02, 0.14, 0.37, 0.51, 0.83, 2.06, 2.39, 2.59, 4.8},
		{2.3e-8, 3e-7, 2.4e-6, 5.6e-5, 0.00077, 0.0014, 0.011, 0.12, 0.25, 0.43, 0.586, 0.649, 0.95, 12.8},
		{5e-8, 3.1e-7, 3e-6, 0.00015, 0.0018, 0.015, 0.029, 0.15, 0.27, 0.44, 0.585, 0.804, 0.974, 3.46},
		{3.1e-9, 5.8e-8, 7e-7, 0.0055, 0.037, 0.12, 0.26, 0.36, 0.45, 0.53, 0.618, 0.712, 0.814, 4.08},
		{8.7e-9, 2.6e-8, 1.6e-7, 0.002, 0.0086, 0.084, 0.2, 0.32, 0.41, 0.57, 0.621, 0.739, 0.861, 0.861},
	}
)

// fbApart are the groups, from the first to before the second, in which a job has a large input or
// a large output for its shuffle, never both.
var fbApart = [2]int{1, 7}

// Input bytes of the map-only jobs, and output over input of those whose input ranks in each group.
var (
	fbMapInput  = []float64{25, 110, 300, 950, 5000, 3.2e4, 1.1e5, 2.2e5, 4.7e5, 8.9e5, 1.8e6, 5.1e6, 1.6e7, 3.5e7, 6.1e7, 1.4e8, 3.6e8, 1.3e9, 6.5e9, 1.6e10, 1.9e11, 3.9e11, 4.9e11, 1.14e12, 2.61e12, 3.86e12, 9.93e12}
	fbMapCuts   = []float64{0, 0.1, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995, 1}
	fbMapOutput = [][]float64{
		{0.052, 0.32, 0.73, 1.2, 1.3, 1.3, 1.6, 3.4, 70, 9400, 1.39e5, 3.7e5, 5.11e6, 8.43e7},
		{0.004, 0.032, 0.089, 0.19, 0.32, 0.54, 0.89, 1.3, 2.9, 7.8, 19.9, 5.62e4, 2.64e5, 1.02e7},
		{0.00063, 0.0021, 0.048, 0.057, 0.13, 0.39, 0.79, 1, 1.4, 12, 16, 34.6, 1.45e5, 2.73e6},
		{4.7e-6, 0.00093, 0.039, 0.044, 0.061, 0.66, 0.89, 0.98, 1, 1.1, 1.54, 8.09, 6390, 4.57e5},
		{1.6e-6, 0.00069, 0.04, 0.045, 0.3, 0.97, 0.99, 1, 1, 1, 1, 1.88, 3.01, 5.97},
		{6.6e-7, 3.4e-6, 2.2e-5, 0.0003, 0.04, 0.07, 0.85, 1, 1, 1.3, 1.97, 2.78, 6.19, 19},
		{8.1e-8, 1.5e-6, 4.7e-5, 0.00022, 0.0006, 0.035, 0.25, 0.96, 1, 1, 1.1, 1.23, 1.25, 2.74},
		{3.7e-8, 5.5e-7, 9.5e-6, 0.00021, 0.12, 0.81, 1, 1, 1, 1.4, 1.56, 1.7, 1.75, 1.75},
		{7.5e-7, 8.5e-7, 2.3e-6, 4.4e-6, 1.6e-5, 3.7e-5, 6.6e-5, 0.00015, 0.00091, 0.0067, 0.328, 1.52, 1.99, 2.46},
		{1.3e-8, 2.1e-8, 9.8e-8, 1.1e-6, 2e-6, 3.4e-6, 6.9e-6, 6e-5, 0.00062, 0.27, 1.22, 2.1, 3.04, 3.52},
		{4.2e-9, 4.7e-9, 8.9e-7, 9.3e-7, 5.7e-6, 0.0009, 0.054, 0.83, 0.9, 1.2, 1.53, 1.91, 2.84, 2.84},
	}
)

// The small classes, at fbRatioLevels: input of the jobs that only read, output of those that only
// write, input and shuffle of the probes.
var (
	fbReadInput    = []float64{260, 300, 6600, 9.7e4, 9.7e4, 2e5, 7.7e5, 1.4e6, 5.1e8, 4.1e10, 1.55e11, 1.54e12, 4.06e12, 4.41e12}
	fbMakeOutput   = []float64{136, 190, 3.3e4, 3.3e4, 3.3e4, 3.3e4, 3.3e4, 3.3e4, 3.3e4, 3.3e4, 3.3e4, 3.3e4, 3.3e4, 1e7}
	fbProbeInput   = []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9000, 1.4e5, 4.5e6}
	fbProbeShuffle = []float64{18, 29, 29, 49, 49, 49, 49, 49, 49, 49, 49, 49, 110, 1e5}
)

// Arrivals by the hour: jobs, and work in thousandths of the day's (at d/n = 4).
var (
	fbHourJobs = [24]int{977, 1600, 1037, 1589, 1039, 635, 856, 1677, 1111, 1202, 370, 1132, 1582, 852, 2, 1303, 672, 930, 811, 1253,
		760, 1541, 813, 698}
	fbHourWork = [24]float64{29, 28, 22, 25, 22, 67, 34, 47, 33, 47, 15, 34, 54, 90, 0, 157, 32, 19, 24, 33, 60, 28, 35, 66}
)

// fbBatches[k] is how many seconds have k+1 arrivals. fbPace are the rates of the minutes of an
// hour relative to its own: a third of the minutes each. fbLastSecond is that of the last arrival.
var (
	fbBatches = [13]int{15805, 2918, 586, 154, 52, 14, 3, 5, 1, 0, 0, 0, 1}
	fbPace    = [3]float64{0.55, 1, 1.45}
)

const fbLastSecond = 86408
