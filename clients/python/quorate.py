"""A client of the HTTP API of quorate. One file, standard library only, Python 3.9 or later."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request


class QuorateError(Exception):
    """The server refused a request. `status` is the HTTP status, and `problem` is the body (RFC 9457)."""

    def __init__(self, status, problem):
        fields = [f"{error['field']} must be {error['expected']}" for error in problem.get("errors", [])]
        words = [str(problem.get("detail", "the server gave no reason")), *fields, problem.get("next", "")]
        super().__init__(f"{status}: " + ". ".join(word.rstrip(".") for word in words if word))
        self.status = status
        self.problem = problem


class Deferred(Exception):
    """The panel deferred to a person. There is no answer to act on."""

    def __init__(self, decision):
        verdict = decision.get("decision") or {}
        super().__init__(verdict.get("reasonText") or "hidden until it is reviewed")
        self.decision_id = decision["id"]
        self.review_id = decision.get("reviewId")
        self.reason = verdict.get("reason")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, because urllib would send the token to the server of the redirect."""

    def redirect_request(self, *_):
        return None


class Quorate:
    def __init__(self, url="http://127.0.0.1:4711", token=None, timeout=90):
        self.url = url.rstrip("/")
        self.token = _token(token)
        self.timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def decide(self, question, options=None, id=None, group=None, key=None, wait=600, fields=None):
        """Asks the panel and returns the name of the option to act on. Raises Deferred if the panel defers to a person.

        With an `id` or a `key`, the same call can be repeated after any failure, and the panel is asked once.
        """
        asked = self.ask(question, options, id=id, group=group, key=key, fields=fields)
        decision = self.wait_for(asked["id"], wait)
        verdict = decision["decision"]
        if verdict is not None and verdict["kind"] == "act" and verdict["answer"] is not None:
            return verdict["answer"]
        raise Deferred(decision)

    def ask(self, question, options=None, id=None, group=None, key=None, fields=None):
        """Stores the question and returns at once. Read the decision with wait_for.

        `fields` is a dict of further data about the question, such as {"amount": 1200}, for the rules of the config.
        """
        body = {"question": question, "options": options, "id": id, "group": group, "fields": fields}
        body = {name: value for name, value in body.items() if value is not None}
        return self.request("POST", "/v1/decisions", body, headers={"Idempotency-Key": key} if key else {})

    def wait_for(self, decision_id, seconds=600):
        """Waits for the decision. Raises TimeoutError after `seconds`, and QuorateError if it could not be made."""
        ends = time.monotonic() + seconds
        while True:
            left = max(0, min(50, ends - time.monotonic()))
            decision = self.decision(decision_id, wait=left)
            if decision["status"] == "decided":
                return decision
            if decision["status"] == "failed":
                raise QuorateError(424, {"detail": f"decision {decision_id} could not be made"})
            if time.monotonic() >= ends:
                raise TimeoutError(f"decision {decision_id} is not made after {seconds} s; it is stored, ask again")

    def decision(self, decision_id, wait=0):
        return self.request("GET", "/v1/decisions/" + urllib.parse.quote(decision_id, safe=""), query={"wait": wait})

    def certify(self, id, options, rounds, question=None, group=None, certificate=None, fields=None):
        """Decides on the rounds so far of your own panel's debate. The kind is act, continue or defer.

        `fields` is the same as for ask.
        """
        body = {"id": id, "options": options, "rounds": rounds, "question": question, "group": group}
        body.update(certificate=certificate, fields=fields)
        return self.request("POST", "/v1/certify", {name: value for name, value in body.items() if value is not None})

    def reviews(self, status=None):
        """Yields the items of the review queue. People review in the app, so no method submits a review."""
        return self.pages("/v1/reviews", {"status": status} if status else {})

    def debates(self, **query):
        return self.pages("/v1/debates", query)

    def pages(self, path, query=None):
        """Yields all items of a list, page by page."""
        cursor = None
        while True:
            page = self.request("GET", path, query={**(query or {}), **({"cursor": cursor} if cursor else {})})
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def request(self, method, path, body=None, query=None, headers=None):
        """Sends a request to the HTTP API (docs/http.md), for routes that have no method here."""
        address = self.url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        sent = {"Accept": "application/json", **(headers or {})}
        if self.token:
            sent["Authorization"] = "Bearer " + self.token
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(address, data=data, headers=sent, method=method)
        try:
            with self._opener.open(request, timeout=self.timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise QuorateError(error.code, _problem(error.read())) from None


def _token(given):
    """Strips the line end of a token file. Any other space or control character is refused, because urllib would put the
    token into its error.
    """
    token = (given or "").strip()
    if not token.isascii() or any(not sign.isprintable() or sign == " " for sign in token):
        raise ValueError("the token must be one word, as quorate token create prints it")
    return token or None


def _problem(body):
    try:
        read = json.loads(body)
    except ValueError:
        read = None
    return read if isinstance(read, dict) else {}
