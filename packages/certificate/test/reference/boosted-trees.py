"""Reference values of the boosted trees from scikit-learn's HistGradientBoostingClassifier.

Run: OMP_NUM_THREADS=1 /usr/bin/python3 boosted-trees.py   (writes boosted-trees.json beside itself)

One thread, so that the sums over all rows are taken in the order of the rows. Each case has the training data, points
to predict at (some training rows, then new points within and beyond the range) and the log loss over all training rows.
"""
import heapq
import json
import os
import pathlib

assert os.environ.get('OMP_NUM_THREADS') == '1', __doc__

import numpy as np
import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss

here = pathlib.Path(__file__).parent
random = np.random.default_rng(20260101)
NAMES = {'learningRate': 'learning_rate', 'trees': 'max_iter', 'maximumLeaves': 'max_leaf_nodes',
         'minimumLeafRows': 'min_samples_leaf', 'l2': 'l2_regularization', 'maximumBins': 'max_bins'}


def expit(values):
    return 1 / (1 + np.exp(-values))


def case(name, rows, labels, new, **options):
    model = HistGradientBoostingClassifier(early_stopping=False, **{NAMES[key]: options[key] for key in options})
    model.fit(rows, labels)
    points = np.r_[rows[:100], new]
    grown = [tree[0].nodes for tree in model._predictors]
    return {'name': name, 'columns': rows.shape[1], 'rows': rows.ravel().tolist(), 'labels': labels.tolist(),
            'options': options, 'points': points.ravel().tolist(),
            'predicted': model.predict_proba(points)[:, 1].tolist(),
            'trainingLogLoss': log_loss(labels, model.predict_proba(rows)),
            'leaves': int(sum(nodes['is_leaf'].sum() for nodes in grown))}


def labelled(rows, score):
    return (random.random(len(rows)) < expit(score)).astype(int)


def continuous(size):
    return random.normal(size=(size, 2)).round(3)


def votes(size):
    """Shares of 5, 7 and 3 votes: few values, many ties."""
    skill = random.random(size)
    return np.stack([random.binomial(voters, skill) / voters for voters in (5, 7, 3)], axis=1)


def correlated(size):
    common = random.normal(size=(size, 1))
    return (0.7 * common + 0.7 * random.normal(size=(size, 5))).round(2)


def lumpy(size):
    """More than 255 values, with lumps on 0 and 1: percentiles fall on the same value."""
    values = random.normal(0.5, 0.5, size=(size, 1)).round(3)
    return np.clip(values, 0, 1)


def cases():
    rows = continuous(250)
    yield case('continuous', rows, labelled(rows, 2 * np.sin(2 * rows[:, 0]) + rows[:, 1]), continuous(60))
    rows = votes(500)
    yield case('votes with many ties', rows, labelled(rows, 4 * rows[:, 0] - 2 + rows[:, 1] * rows[:, 2]), votes(60))
    rows = continuous(1200)
    yield case('percentiles', rows, labelled(rows, rows[:, 0] ** 2 - rows[:, 1]), 1.5 * continuous(60), trees=50)
    rows = lumpy(900)
    yield case('percentiles that coincide', rows, labelled(rows, 5 * rows[:, 0] - 2), lumpy(60) * 1.2 - 0.1)
    rows = correlated(2000)
    score = rows[:, 0] + np.sin(3 * rows[:, 1]) + rows[:, 2] * rows[:, 3]
    yield case('five correlated features', rows, labelled(rows, score), correlated(60))
    rows = continuous(45)
    yield case('few rows, few splits', rows, labelled(rows, rows[:, 0]), continuous(60))
    rows = continuous(39)
    yield case('too few rows for any split', rows, labelled(rows, rows[:, 0]), continuous(20))
    rows = continuous(300)
    yield case('strongly separated', rows, (rows[:, 0] > 0.2).astype(int), continuous(60))
    wrong = np.arange(300) % 97 == 0
    yield case('separated but for a few', rows, ((rows[:, 0] > 0.2) ^ wrong).astype(int), continuous(60))
    rows = np.c_[continuous(300), np.full(300, 3.0), continuous(300)[:, 0]]
    rows[:, 3] = rows[:, 0]
    yield case('a constant and a repeated column', rows, labelled(rows, 2 * rows[:, 0]), rows[200:260] + 0.05)
    rows = continuous(250)
    yield case('other options', rows, labelled(rows, 2 * rows[:, 0]), continuous(60), learningRate=0.3, trees=20,
               maximumLeaves=5, minimumLeafRows=4, l2=1.5, maximumBins=16)


class Item:
    """Ordered by gain alone, largest first, as scikit-learn orders the nodes of a tree."""

    def __init__(self, name, gain):
        self.name, self.gain = name, gain

    def __lt__(self, other):
        return self.gain > other.gain


def queue():
    """Gains with many ties pushed through heapq; a null stands for a pop."""
    heap, steps, popped = [], [], []
    for name in range(300):
        if heap and random.random() < 0.4:
            steps.append(None)
            popped.append(heapq.heappop(heap).name)
        else:
            steps.append(int(random.integers(0, 6)))
            heapq.heappush(heap, Item(len(steps) - 1, steps[-1]))
    return {'steps': steps, 'popped': popped}


result = {'script': 'boosted-trees.py', 'scikit-learn': sklearn.__version__, 'numpy': np.__version__,
          'cases': list(cases()), 'queue': queue()}
(here / 'boosted-trees.json').write_text(json.dumps(result) + '\n')
for each in result['cases']:
    print(each['name'], len(each['labels']), 'leaves', each['leaves'], 'log loss', each['trainingLogLoss'])
