/**
 * Shrinks photos to a size that the server takes. The work order sends a photo as soon as it is chosen, and a dispute with
 * its text. Sent to the browser unbuilt, so it is plain JavaScript. Without it, photos are sent as they are with a button.
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
  const most = Number(form.dataset['photo'])
  if (form.dataset['photoSend'] === 'later') return shrinkBeforeSending(form, input, most)
  list?.classList.add('is-ready')
  const say = (/** @type {string} */ words) => {
    if (label) label.textContent = words
  }
  const sendPhoto = async () => {
    if (!input.files?.length) return
    say('Sending …')
    if (await shrinkIn(input, most)) form.requestSubmit(button)
  }
  input.addEventListener('change', () => void sendPhoto())
  // Reset once it is stored on this device.
  form.addEventListener('reset', () => say('Not sent yet'))
}

/**
 * Shrinks a chosen photo. A form sent before it is done waits.
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} input
 * @param {number} most
 */
function shrinkBeforeSending(form, input, most) {
  /** @type {Promise<boolean> | undefined} */
  let shrinking
  input.addEventListener('change', () => {
    const begun = shrinkIn(input, most)
    shrinking = begun
    void begun.then(() => {
      if (shrinking === begun) shrinking = undefined
    })
  })
  form.addEventListener('submit', (event) => {
    if (!shrinking) return
    event.preventDefault()
    void shrinking.then(() => form.requestSubmit(event.submitter))
  })
}

/**
 * Replaces the chosen photo with one of at most `most` bytes. Returns false if another photo was chosen since.
 * @param {HTMLInputElement} input
 * @param {number} most
 */
async function shrinkIn(input, most) {
  const [photo] = input.files ?? []
  if (!photo) return false
  const sent = new DataTransfer()
  sent.items.add(await shrink(photo, most).catch(() => photo))
  if (input.files?.[0] !== photo) return false
  input.files = sent.files
  return true
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
