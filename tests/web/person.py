"""Somebody with the page open, without a browser: the requests that Gradio's own frontend sends."""

from __future__ import annotations

import json
import secrets
from typing import Any

import httpx


class Person:
    """One session. `ask` sends an event as the page does and waits for its last answer."""

    def __init__(self, address: str) -> None:
        self.client = httpx.Client(base_url=address.rstrip("/"), timeout=120)
        self.page = secrets.token_hex(6)
        config = self.client.get("/config").json()
        self.events = {each["api_name"]: each["id"] for each in config["dependencies"]}
        self.by_id = {each["props"].get("elem_id"): each["id"] for each in config["components"]}
        self.state = self.ask("greet")

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def upload(self, data: bytes, name: str) -> dict[str, Any] | None:
        """The file as the page speaks of it afterwards; None where it was refused."""
        found = self.client.post("/gradio_api/upload", files={"files": (name, data)})
        if found.status_code != 200:
            return None
        return {"path": found.json()[0], "orig_name": name, "meta": {"_type": "gradio.FileData"}}

    def show(self, data: bytes, name: str = "photo.png", model: str = "efficientnet_lite0") -> dict[str, Any]:
        file = self.upload(data, name)
        assert file is not None
        return self.ask("show", file, model)

    def explain(self, methods: list[str], layers: list[str], exactness: str = "tolerance 0.01") -> dict[str, Any]:
        return self.ask("explain", methods, layers, "black", exactness)

    def ask(self, event: str, *data: object, told: object = None) -> dict[str, Any]:
        """The last state that came, with the notice of an error where there was one."""
        body = {"data": list(data), "fn_index": self.events[event], "session_hash": self.page, "event_data": told}
        joined = self.client.post("/gradio_api/queue/join", json=body)
        if joined.status_code == 503:
            return {"error": "the queue is full"}
        assert joined.status_code == 200, joined.text
        wanted, last = joined.json()["event_id"], None
        with self.client.stream("GET", "/gradio_api/queue/data", params={"session_hash": self.page}) as lines:
            for line in lines.iter_lines():
                if not line.startswith("data:"):
                    continue
                message = json.loads(line[5:])
                if message.get("event_id") != wanted:
                    continue
                if message["msg"] == "process_completed":
                    output = message["output"]
                    if not message["success"]:
                        return {"error": output.get("error")}
                    last = output["data"] or last
                    break
        if last and isinstance(last[0], str):
            self.state = json.loads(last[0])
        return self.state

    def call(self, function: str, component: str = "rsi-viewer", **asked: object) -> Any:
        """A function of the server that the page's own script calls."""
        body = {
            "data": {"token": self.state["token"], **asked},
            "component_id": self.by_id[component],
            "fn_name": function,
            "session_hash": self.page,
        }
        return self.client.post("/gradio_api/component_server", json=body).json()
