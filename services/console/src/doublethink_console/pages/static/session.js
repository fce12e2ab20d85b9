"use strict";

async function post(path, body) {
  return fetch(path, {
    method: "POST",
    // A proxy with a login answers who accepts JSON with 401, and others with a way to its page.
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
    credentials: "same-origin",
  });
}

const signIn = document.getElementById("sign-in");
if (signIn) {
  signIn.addEventListener("submit", async (event) => {
    event.preventDefault();
    const token = document.getElementById("token");
    const answer = await post("/api/login", { token: token.value.trim() });
    token.value = "";
    if (answer.ok) {
      location.replace("/");
    } else {
      document.getElementById("refused").textContent = (await answer.json()).error;
    }
  });
}

const signOut = document.getElementById("sign-out");
if (signOut) {
  signOut.addEventListener("click", async () => {
    await post("/api/logout", {});
    location.replace("/login");
  });
}

for (const hold of document.querySelectorAll("section.hold")) {
  for (const button of hold.querySelectorAll("button")) {
    button.addEventListener("click", async () => {
      for (const each of hold.querySelectorAll("button")) {
        each.disabled = true;
      }
      const told = hold.querySelector(".told");
      try {
        const answer = await post(`/api/sessions/${hold.dataset.session}/holds/${hold.dataset.hold}`, {
          approve: button.dataset.approve === "true",
          commitment: hold.dataset.commitment,
        });
        if (answer.ok) {
          location.reload();
        } else {
          told.textContent = (await answer.json()).error;
        }
      } catch {
        // A proxy whose session has ended answers with a way to its login, which a script does not go.
        told.textContent = "The answer did not come: load the page anew, and sign in if you are asked to.";
      }
    });
  }
}
