/* Passkeys: makes one, or shows one, before a form is sent.
   form[data-passkey]: "add" and "use" find their options in the page, "enter" asks the form's address. */

const WORDS = {
  NotAllowedError: gettext("It was cancelled, or took too long. Try again."),
  InvalidStateError: gettext("This device has a passkey for your account already."),
  SecurityError: gettext("Passkeys need this site's own name and HTTPS."),
};

for (const form of document.querySelectorAll("form[data-passkey]")) {
  // Without HTTPS browsers have none; where there is another way, nothing is offered that can't be used.
  if (!window.PublicKeyCredential && form.classList.contains("js-only")) form.hidden = true;
  form.addEventListener("submit", async (event) => {
    if (form.elements.credential.value) return;
    event.preventDefault();
    const failed = form.querySelector("[data-passkey-failed]");
    failed.hidden = true;
    try {
      const credential = await shown(form);
      form.elements.credential.value = JSON.stringify(credential.toJSON());
      form.requestSubmit();
    } catch (error) {
      failed.textContent = WORDS[error.name] || gettext("This browser can't use passkeys here.");
      failed.hidden = false;
    }
  });
}

async function shown(form) {
  if (form.dataset.passkey === "add") {
    const { publicKey } = options(form);
    // Kept on the device where that can: then it signs in by itself. A plain security key is a second factor.
    publicKey.authenticatorSelection = { residentKey: "preferred", userVerification: "preferred" };
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) });
  }
  const { publicKey } = form.dataset.passkey === "use" ? options(form) : await asked(form);
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
}

function options(form) {
  return JSON.parse(form.querySelector("#passkey-options").textContent);
}

async function asked(form) {
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(answer.statusText);
  return (await answer.json()).request_options;
}
