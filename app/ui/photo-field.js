/**
 * A button next to each field with `data-photo` that fills it from a photo. Sent to the browser unbuilt, so it is plain
 * JavaScript; the reader is loaded with the first photo. Without it the field is typed in.
 */
/** @type {HTMLScriptElement | null} */
const cameraScript = document.querySelector('script[data-photo-reader]')
const cameraAddress = cameraScript?.dataset['photoReader']

/** @type {Worker | null} */
let cameraReader = null
/** The callback for the reading in progress, replaced by another photo. */
/** @type {((answer: { share?: number, text?: string | null, failed?: string }) => void) | null} */
let cameraTold = null

const cameraWords = {
  reading: 'Reading the photo …',
  failed: 'That photo cannot be read. Take another one, or type it.',
}

if (cameraAddress && 'Worker' in window && 'OffscreenCanvas' in window)
  for (const input of document.querySelectorAll('input[data-photo]'))
    if (input instanceof HTMLInputElement && !input.matches(':disabled')) addButton(input, cameraAddress)

/**
 * @param {HTMLInputElement} input
 * @param {string} from
 */
function addButton(input, from) {
  const [button, file, status] = [
    document.createElement('button'),
    document.createElement('input'),
    document.createElement('p'),
  ]
  button.type = 'button'
  button.className = 'btn photo-button'
  button.textContent = 'Photo'
  button.setAttribute('aria-label', input.dataset['photo'] ?? '')
  // Without a name it is never sent. No `capture`: phones then offer the camera and the photos.
  file.type = 'file'
  file.accept = 'image/*'
  file.hidden = true
  status.className = 'small'
  status.setAttribute('role', 'status')
  button.addEventListener('click', () => file.click())
  file.addEventListener('change', () => {
    const [photo] = file.files ?? []
    if (photo) void read(photo)
    file.value = ''
  })
  input.closest('.field-row')?.append(button, file, status)

  /** @param {File} photo */
  async function read(photo) {
    status.textContent = cameraWords.reading
    const answer = await askReader(photo, from, (share) => {
      status.textContent = `${cameraWords.reading} ${Math.round(share * 100)}%`
    })
    if (answer.failed !== undefined) status.textContent = cameraWords.failed
    else if (answer.text === undefined) status.textContent = ''
    else if (answer.text === null) status.textContent = input.dataset['photoNone'] ?? ''
    else {
      input.value = answer.text
      input.dispatchEvent(new Event('input', { bubbles: true }))
      status.textContent = `Read ${answer.text}. ${input.dataset['photoCheck'] ?? ''}`
    }
  }
}

/**
 * @param {File} photo
 * @param {string} from
 * @param {(share: number) => void} onProgress
 * @returns {Promise<{ share?: number, text?: string | null, failed?: string }>}
 */
function askReader(photo, from, onProgress) {
  // A reading that is under way is ended with its worker.
  if (cameraTold) {
    cameraTold({})
    closeReader()
  }
  const worker = (cameraReader ??= openReader(from))
  return new Promise((resolve) => {
    cameraTold = (answer) => {
      if (answer.share !== undefined) return onProgress(answer.share)
      cameraTold = null
      if (answer.failed !== undefined) closeReader()
      resolve(answer)
    }
    worker.postMessage({ photo, engine: cameraScript?.dataset['engine'], day: cameraScript?.dataset['day'] }, [])
  })
}

/** @param {string} from */
function openReader(from) {
  const worker = new Worker(from)
  worker.addEventListener(
    'message',
    (/** @type {MessageEvent<{ share?: number, text?: string | null, failed?: string }>} */ { data }) =>
      cameraTold?.(data),
  )
  worker.addEventListener('error', () => cameraTold?.({ failed: 'The reader did not start.' }))
  return worker
}

function closeReader() {
  cameraReader?.terminate()
  cameraReader = null
}
