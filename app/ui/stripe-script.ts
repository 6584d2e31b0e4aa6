/** The release that matches the API version of the server's library. */
export const stripeScriptUrl = 'https://js.stripe.com/endive/stripe.js'

const loading = new Map<string, Promise<void>>()

/** Loads Stripe.js, or what plays it, once per page. It must come from its own origin and is not bundled. */
export function loadStripeScript(url: string): Promise<void> {
  const begun =
    loading.get(url) ??
    new Promise<void>((resolve, reject) => {
      const script = document.createElement('script')
      script.src = url
      script.addEventListener('load', () => resolve())
      script.addEventListener('error', () => {
        // So that a shopper can retry without reloading the page.
        loading.delete(url)
        script.remove()
        reject(new Error('Stripe.js did not load.'))
      })
      document.head.append(script)
    })
  loading.set(url, begun)
  return begun
}
