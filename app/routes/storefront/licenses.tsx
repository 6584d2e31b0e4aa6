import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { noticesHtml } from './licenses.server.ts'
import type { Route } from './+types/licenses.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Data and licenses',
    description: 'Where our vehicle names, sizes and places come from, and the licenses of the code and the lettering.',
    path: paths.licenses(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

export async function loader() {
  return { html: await noticesHtml() }
}

export default function Licenses({ loaderData: { html } }: Route.ComponentProps) {
  return (
    <div className="wrap notices">
      <h1>Data and licenses</h1>
      <p>
        The store’s own code is free software under the MIT license. Lettering is set in Archivo and Inter, both under
        the SIL Open Font License 1.1. Vehicle names, sizes and places come from the sources below; a size list never
        replaces the label at the driver’s door.
      </p>
      {html === '' ? null : <div dangerouslySetInnerHTML={{ __html: html }} />}
    </div>
  )
}
