"""The tasks of some benchmarks by scikit-learn, SciPy and NumPy. Prints lines as go test -bench
does, of the benchmarks that the arguments name."""
import sys
import time


def bench(name, prepare):
    if "Benchmark" + name not in sys.argv:
        return
    call = prepare()
    call()
    count, begin = 0, time.perf_counter()
    while count < 3 or time.perf_counter() - begin < 1:
        call()
        count += 1
    print(f"Benchmark{name} {count} {1e9 * (time.perf_counter() - begin) / count:.0f} ns/op", flush=True)


def outliers(np, r):
    from sklearn.neighbors import LocalOutlierFactor

    for name, shape in [("line/n=84", (84, 1)), ("line/n=100000", (100000, 1)), ("space/n=100000", (100000, 3))]:

        def prepare():
            x = r.normal(size=shape)
            return lambda: LocalOutlierFactor(n_neighbors=20).fit(x)

        bench("LOF/" + name, prepare)


def neighbours(np, r):
    from sklearn.neighbors import KNeighborsRegressor

    for n, k in [(100000, 50), (10000, 1585), (100000, 10000)]:

        def prepare():
            x, queries = r.normal(size=(n, 3)), r.normal(size=(1000, 3))
            epanechnikov = lambda d: 1 - (d / d.max(axis=1, keepdims=True)) ** 2
            e = KNeighborsRegressor(n_neighbors=k, weights=epanechnikov, algorithm="kd_tree").fit(x, x[:, 0])
            return lambda: e.predict(queries)

        bench(f"KNN/n={n}/k={k}", prepare)


def statistics(np, r):
    from scipy import stats

    x = r.lognormal(0.1, 0.4, 10000)
    bench("KS", lambda: lambda: stats.kstest(x, stats.lognorm(0.4, scale=np.exp(0.1)).cdf))


def assignment(np, r):
    from scipy.optimize import linear_sum_assignment

    for partitions, racks in [(40, 8), (200, 40), (1000, 40)]:

        def prepare():
            local = np.repeat(r.random((partitions, racks)), partitions // racks, axis=1)  # a column for each slot
            return lambda: linear_sum_assignment(local, maximize=True)

        bench(f"PlaceReduces/partitions={partitions}", prepare)


for task in [outliers, neighbours, statistics, assignment]:
    try:
        import numpy

        task(numpy, numpy.random.default_rng(1))
    except ImportError as absent:
        print(f"bench: {task.__name__} by Python: {absent}", file=sys.stderr)
