/**
 * On the work order, sends a photo as soon as it is chosen, in a size that the server takes. Sent to the browser unbuilt,
 * so it is plain JavaScript; without it the photo is sent with its button.
 */
/** Sides in pixels with the quality of the picture, tried until one is small enough. */
const photoSizes = [
  [2_000, 0.85],
  [2_000, 0.65],
  [1_200, 0.65],
]

watchPhotos()
// A sent photo replaces the forms.
document.addEventListener('parts-shown', watchPhotos)

function watchPhotos() {
  for (const form of document.querySelectorAll('form[data-photo]'))
    if (form instanceof HTMLFormElement) watchPhoto(form)
}

/** @param {HTMLFormElement} form */
function watchPhoto(form) {
  const input = form.querySelector('input[type="file"]')
  const button = form.querySelector('button')
  const label = form.querySelector('label span')
  const list = form.closest('ul')
  if (!(input instanceof HTMLInputElement) || !button || form.dataset['watched']) return
  form.dataset['watched'] = 'yes'
  list?.classList.add('is-ready')
  const say = (/** @type {string} */ words) => {
    if (label) label.textContent = words
  }
  const sendPhoto = async () => {
    const [photo] = input.files ?? []
    if (!photo) return
    say('Sending …')
    const sent = new DataTransfer()
    sent.items.add(await shrink(photo, Number(form.dataset['photo'])).catch(() => photo))
    input.files = sent.files
    form.requestSubmit(button)
  }
  input.addEventListener('change', () => void sendPhoto())
  // Reset once it is stored on this device.
  form.addEventListener('reset', () => say('Not sent yet'))
}

/**
 * Returns a photo of at most `most` bytes, or the photo itself if the browser can't read it.
 * @param {File} photo
 * @param {number} most
 */
async function shrink(photo, most) {
  const bitmap = await createImageBitmap(photo)
  const longest = Math.max(bitmap.width, bitmap.height)
  const canvas = document.createElement('canvas')
  for (const [side = longest, quality] of photoSizes) {
    const scale = Math.min(1, side / longest)
    if (scale === 1 && photo.size <= most) return photo
    canvas.width = Math.round(bitmap.width * scale)
    canvas.height = Math.round(bitmap.height * scale)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) =>
      canvas.toBlob(resolve, 'image/jpeg', quality),
    )
    if (blob && blob.size <= most) return new File([blob], 'photo.jpg', { type: 'image/jpeg' })
  }
  return photo
}
