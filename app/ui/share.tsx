import { useRouteLoaderData } from '#app/router/router.tsx'

/**
 * Shares the address of this page, `path`. Without script, it offers the address to copy and an email link; with
 * script, the browser's share dialog comes first.
 */
export function Share({ path, title }: { path: string; title: string }) {
  const url = (useRouteLoaderData<{ store: { origin: string } }>('root')?.store.origin ?? '') + path
  return (
    <details className="share">
      <summary className="btn small quiet" data-interaction="share">
        Share
      </summary>
      <div className="panel">
        <label className="field">
          Address of this page
          <input className="input" readOnly value={url} />
        </label>
        <button className="btn small with-script" type="button" data-interaction="copy">
          Copy link
        </button>
        <a
          className="btn small quiet"
          href={`mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`}
        >
          Mail it
        </a>
        <p className="small" role="status" />
      </div>
    </details>
  )
}
