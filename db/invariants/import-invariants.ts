/** What must be true of imports; see invariants.ts. */
import type { Invariant } from './invariants.ts'

export const importInvariants: readonly Invariant[] = [
  {
    name: 'import-over-left-nothing',
    severity: 'error',
    of: 'imports that are over',
    statement: `
      select 'import ' || id as what,
        not exists (select from import_product where run_id = run.id) and not exists (select from import_price where run_id = run.id)
        and not exists (select from import_stock where run_id = run.id) and not exists (select from import_fitment where run_id = run.id)
        and not exists (select from import_brand_fitment where run_id = run.id) and not exists (select from import_vehicle_code where run_id = run.id)
        and not exists (select from import_item_data where run_id = run.id) and not exists (select from import_competitor_price where run_id = run.id)
        and not exists (select from import_customer where run_id = run.id)
        and not exists (select from import_order where run_id = run.id)
        and not exists (select from import_upload_part join import_upload on import_upload.id = upload_id where run_id = run.id) as holds
      from import_run as run where finished_at is not null`,
  },
  {
    name: 'import-published-by-someone',
    severity: 'error',
    of: 'imports published since their author is recorded',
    statement: `
      select 'import ' || id as what,
        exists (select from audit_entry where act = 'import.published' and subject = 'import ' || run.id) and (
          state = 'published' or exists (select from audit_entry where act = 'import.rolled-back' and subject = 'import ' || run.id)) as holds
      from import_run as run where started_by is not null and state in ('published', 'rolled-back', 'rolling-back')`,
  },
  {
    name: 'late-import-work',
    severity: 'warning',
    of: 'imports with something to do',
    statement: `
      select 'import ' || run.id as what, exists (
        select from graphile_worker.jobs where task_identifier = 'work-on-import' and key = 'import-' || run.id and attempts < max_attempts) as holds
      from import_run as run join import_upload on run_id = run.id where state in ('reading', 'read', 'publishing', 'rolling-back') or asked is not null`,
  },
]
