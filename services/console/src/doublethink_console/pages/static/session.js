"use strict";

async function post(path, body) {
  return fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
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
