// SPDX-License-Identifier: Apache-2.0
// The box's HTTP API: commands, and events that go on where they were when the connection is made anew.

/// The result of a command. Throws an Error with the box's own words. A command whose caller the
/// box does not know is also told by the document's event "unknown".
export async function ask(command, body, method = body === undefined ? "GET" : "POST") {
  let response;
  try {
    response = await fetch(`/v1/${command}`, body === undefined ? { method, cache: "no-store" } : {
      method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
  } catch {
    throw Object.assign(new Error("the box does not answer"), { isLink: true });
  }
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  if (response.status === 401 && command !== "session") document.dispatchEvent(new Event("unknown"));
  throw Object.assign(new Error(answer?.errorString || `the box answers ${response.status} ${response.statusText}`), { code: response.status });
}

/// Follows the events. Calls `told` with each, `lost` with a number of them, `linked` with whether there is a connection.
export class Events {
  #last;
  #run;
  #tries = 0;

  constructor({ told, lost, linked }) {
    Object.assign(this, { told, lost, linked });
    this.#connect();
  }

  /// The service has begun anew, and so have its numbers.
  restart() { this.#last = undefined; }

  #connect() {
    const since = this.#last === undefined ? "" : `?since=${this.#last}&run=${this.#run}`;
    const socket = new WebSocket(new URL(`/v1/events${since}`, location.href.replace(/^http/, "ws")));
    socket.onopen = () => {
      this.#tries = 0;
      this.linked(true);
    };
    socket.onmessage = ({ data }) => {
      let message;
      try { message = JSON.parse(data); } catch { return; }
      if (typeof message.run === "string") {
        if (message.run !== this.#run) this.#last = undefined;
        this.#run = message.run;
      }
      if (Number.isInteger(message.dropped)) this.lost(message.dropped);
      const event = message.event;
      if (!event || typeof event.type !== "string") return;
      this.#last = Math.max(this.#last ?? 0, event.sequence);
      this.told(event);
    };
    socket.onclose = () => {
      this.linked(false);
      this.#tries += 1;
      setTimeout(() => this.#connect(), Math.min(250 * 2 ** this.#tries, 5000));
    };
  }
}
