// SPDX-License-Identifier: Apache-2.0
// The moving picture: a stream of JPEG files; where that fails, a screenshot each second.

const RETRY = 10_000; // ms until the stream is tried again
let image, canvas, timer;

export function showPicture(imageElement, canvasElement) {
  [image, canvas] = [imageElement, canvasElement];
  image.onerror = poll;
  document.addEventListener("visibilitychange", restartPicture);
  restartPicture();
}

/// From the beginning, if anybody looks: a hidden page costs the box nothing.
export function restartPicture() {
  clearTimeout(timer);
  image.removeAttribute("src");
  if (document.hidden) return;
  image.hidden = false;
  canvas.hidden = true;
  image.src = "/v1/picture";
}

async function poll() {
  if (!image.hasAttribute("src")) return;
  image.removeAttribute("src");
  const until = performance.now() + RETRY;
  const look = async () => {
    if (document.hidden) return;
    if (performance.now() > until) return restartPicture();
    try { await drawScreenshot(); } catch { /* the next one may come */ }
    timer = setTimeout(look, 1000);
  };
  look();
}

/// Drawn from its octets: the page may load nothing but what the box serves by an address.
async function drawScreenshot() {
  const response = await fetch("/v1/screenshot", { cache: "no-store" });
  if (!response.ok) return;
  let file;
  if (response.headers.get("Content-Type")?.startsWith("image/")) {
    file = await response.blob();
  } else {
    const { png } = await response.json();
    file = new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))], { type: "image/png" });
  }
  const bitmap = await createImageBitmap(file);
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
  canvas.hidden = false;
  image.hidden = true;
}
