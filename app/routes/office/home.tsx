import { queueReader, requireStaff } from '#app/server/office.server.ts'
import { NeedsAttention } from '#app/ui/office/needs-attention.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { readHomeQueues } from '#app/views/office-home.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/home.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Home', officePaths.office())

export async function loader({ context }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'office.open', officePaths.office())
  const now = shop.clock.now()
  return { queues: await readHomeQueues(session.roles, { now, read: queueReader(context) }) }
}

export default function Home({ loaderData: { queues } }: Route.ComponentProps) {
  return (
    <OfficePage title="Today">
      <NeedsAttention queues={queues} />
    </OfficePage>
  )
}
