"""Reference values of the baseline policies, from SciPy and scikit-learn.

Run: /usr/bin/python3 policies.py   (writes policies.json beside itself)
"""
import json
import math
import pathlib

import numpy as np
import scipy
import sklearn
from scipy.stats import binom
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.preprocessing import StandardScaler

here = pathlib.Path(__file__).parent
random = np.random.default_rng(20260301)


def h1(a, b):
    first = 0.0 if a == 0 else a * math.log(a / b)
    second = 0.0 if a == 1 else (1 - a) * math.log((1 - a) / (1 - b))
    return first + second


def hoeffding_bentkus(wrong, count, beta):
    """Angelopoulos et al. 2022, Learn then Test, equation of the Hoeffding-Bentkus p-value."""
    risk = wrong / count
    hoeffding = math.exp(-count * h1(min(risk, beta), beta))
    bentkus = math.e * binom.cdf(math.ceil(wrong), count, beta)
    return {'wrong': wrong, 'count': count, 'beta': beta, 'hoeffding': hoeffding, 'bentkus': float(bentkus),
            'value': float(min(hoeffding, bentkus))}


def fixed_sequence(wrong, count, beta, delta):
    """Index into `wrong` (from the loosest threshold to the strictest) of the last rejected; None when none is."""
    last = None
    for at in range(len(wrong) - 1, -1, -1):
        if not hoeffding_bentkus(wrong[at], count, beta)['value'] <= delta:
            break
        last = at
    return {'wrong': wrong, 'count': count, 'beta': beta, 'delta': delta, 'last': last}


def sequences():
    cases = []
    for count, beta, delta in [(400, 0.1, 0.05), (2000, 0.15, 0.03), (60, 0.05, 0.03), (4784, 0.2, 0.03)]:
        risks = np.linspace(2 * beta, 0, 200) + random.normal(0, beta / 20, 200)
        wrong = np.clip(np.round(risks * count), 0, count).astype(int).tolist()
        cases.append(fixed_sequence(wrong, count, beta, delta))
    return cases


def trees():
    """Lumpy features, five folds: out-of-fold probabilities, isotonic map, model refitted on all rows."""
    rows = 400
    features = np.c_[np.round(random.uniform(0.3, 1, rows), 2), random.integers(0, 4, rows) / 3]
    labels = (random.uniform(size=rows) < 0.2 + 0.6 * features[:, 0] * (1 - 0.5 * features[:, 1])).astype(int)
    folds = random.permutation(np.arange(rows) % 5)
    model = HistGradientBoostingClassifier(early_stopping=False)
    unseen = cross_val_predict(model, features, labels, cv=PredefinedSplit(folds), method='predict_proba')[:, 1]
    isotonic = IsotonicRegression(out_of_bounds='clip').fit(unseen, labels)
    whole = model.fit(features, labels)
    queries = np.c_[random.uniform(0.2, 1.05, 50), random.uniform(0, 1, 50)]
    return {'columns': 2, 'features': features.ravel().tolist(), 'labels': labels.tolist(), 'folds': folds.tolist(),
            'outOfFold': isotonic.predict(unseen).tolist(), 'queries': queries.ravel().tolist(),
            'predicted': isotonic.predict(whole.predict_proba(queries)[:, 1]).tolist()}


def stopper():
    """Logistic regression on standardised (p1, margin) with C = 1."""
    rows = 60
    p1 = np.round(random.uniform(0.5, 1, rows), 2)
    right = (random.uniform(size=rows) < p1 ** 2).astype(int)
    states = np.c_[p1, np.round(2 * p1 - 1, 2)]
    scaler = StandardScaler().fit(states)
    model = LogisticRegression(C=1.0, solver='newton-cg', tol=1e-9, max_iter=10000)
    model.fit(scaler.transform(states), right)
    asked = np.round(np.linspace(0.5, 1, 26), 2)
    probabilities = model.predict_proba(scaler.transform(np.c_[asked, 2 * asked - 1]))[:, 1]
    return {'p1': p1.tolist(), 'right': right.tolist(), 'asked': asked.tolist(),
            'probabilities': probabilities.tolist()}


values = [hoeffding_bentkus(wrong, count, beta)
          for count, beta in [(1, 0.5), (20, 0.1), (100, 0.05), (400, 0.1), (4784, 0.15)]
          for wrong in sorted({0, 1, int(count * beta / 2), int(count * beta), min(count, int(2 * count * beta)), count})]

(here / 'policies.json').write_text(json.dumps({
    'script': 'policies.py', 'scipy': scipy.__version__, 'scikit-learn': sklearn.__version__,
    'hoeffdingBentkus': values, 'fixedSequence': sequences(), 'trees': trees(), 'stopper': stopper(),
}) + '\n')
