// SPDX-License-Identifier: Apache-2.0
// Who uses the page: the session that a token opens, or whoever types the code that a box shows which nobody has claimed.

import { ask } from "./api.js";

const element = (id) => document.getElementById(id);
const dialog = element("login");

/// Resolves when the box lets who uses the page look. Who has no role logs in first, with which the page begins anew.
export async function admitted() {
  let session;
  for (let tries = 0; session === undefined && tries < 2; tries += 1) {
    try {
      session = await ask("session");
    } catch (error) {
      if (error.isLink) return; // the page says so, and goes on when the box answers
      if (error.code !== 401) tell(error.message); // else the session is over, and the browser has forgotten it
    }
  }
  show(session ?? { claim: "closed" });
  if (session?.role !== undefined) return;
  open();
  await new Promise(() => {});
}

function show({ name, role, claim }) {
  element("login-open").textContent = name ?? "Log in";
  element("login-who").textContent = role === undefined ? "You are not logged in."
    : name === undefined ? `You are not logged in, and act as ${role}.` : `You are ${name}, ${role}.`;
  element("login-end").hidden = name === undefined;
  element("login-claim").hidden = claim !== "open";
}

function open() { if (!dialog.open) dialog.showModal(); }
function tell(text) { element("login-answer").textContent = text; }

async function begin(token) {
  await ask("session", { token });
  location.reload();
}

element("login-open").onclick = open;
element("login-close").onclick = () => dialog.close();
element("login-end").onclick = async () => {
  try {
    await ask("session", undefined, "DELETE");
    location.reload();
  } catch (error) { tell(error.message); }
};
element("login-form").onsubmit = async (event) => {
  event.preventDefault();
  const field = element("login-token");
  try {
    await begin(field.value.trim());
  } catch (error) { tell(error.message); }
  field.value = "";
};
element("login-claim").onsubmit = async (event) => {
  event.preventDefault();
  try {
    const { token } = await ask("claim", { code: element("claim-code").value, name: element("claim-name").value });
    element("claim-token").textContent = token;
    element("claim-made").hidden = false;
    element("claim-go").onclick = () => begin(token).catch((error) => tell(error.message));
    element("claim-go").focus();
    tell("");
  } catch (error) { tell(error.message); }
};
document.addEventListener("unknown", open);
