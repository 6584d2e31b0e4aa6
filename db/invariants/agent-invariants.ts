/** What must always be true of the sessions of shopping agents. */
import type { Invariant } from './invariants.ts'

export const agentInvariants: readonly Invariant[] = [
  {
    name: 'agent-session-of-its-account',
    severity: 'error',
    of: 'carts and checkouts of linked agents',
    // A cart merged into another has no owner.
    statement: `
      select 'session ' || session.id as what, cart.account_id is null or cart.account_id = session.account_id as holds
      from agent_session session join cart on cart.id = session.cart_id where session.account_id is not null`,
  },
  {
    name: 'agent-order-is-told',
    severity: 'warning',
    of: 'orders of agents that want to hear of them',
    statement: `
      select 'session ' || session.id as what, session.told_digest is not null
        or placed.placed_at > moment.now - interval '15 minutes'
        or exists (select from account_app app where app.account_id = session.account_id and app.client_id = session.platform and app.revoked_at is not null) as holds
      from agent_session session join sales_order placed on placed.cart_id = session.cart_id, moment
      where session.webhook_url is not null and session.canceled_at is null and placed.placed_at > moment.now - interval '90 days'`,
  },
  {
    name: 'agent-said-is-forgotten',
    severity: 'warning',
    of: 'sessions of agents that ended days ago',
    statement: `
      select 'session ' || id as what, said = '{}' as holds
      from agent_session, moment where expires_at < moment.now - interval '4 days'`,
  },
]
