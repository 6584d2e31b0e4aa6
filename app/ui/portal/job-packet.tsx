import type { FormReply } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'
import type { JobView } from '#app/views/portal-job.server.ts'
import { packetWords } from '#domain/ordering/orders/orders.ts'
import { JobPanel } from './job-parts.tsx'
import { PlateLookup, type PlateStates } from './plate-lookup.tsx'

type Props = { job: JobView; reply: FormReply | undefined }

/** What is read on the car last. */
export function JobLast({ job, reply, plateStates }: Props & { plateStates: PlateStates | null }) {
  return (
    <JobPanel id="last" title="VIN, odometer, and torque">
      <Field
        name="vin"
        label={job.vinEnd ? `VIN ends in ${job.vinEnd}. Check it on the car` : 'VIN on the car, last 8'}
        reply={reply}
        value={job.carVinEnd}
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        disabled={job.isOver}
      />
      {plateStates && !job.isOver ? <PlateLookup reply={reply} states={plateStates} value={job.packet?.plate} /> : null}
      <Field
        name="odometer"
        label="Miles on the odometer"
        reply={reply}
        value={job.odometer}
        inputMode="numeric"
        maxLength={12}
        autoComplete="off"
        disabled={job.isOver}
      />
      <Field
        name="torque"
        label="Torque set, in lb-ft"
        reply={reply}
        value={job.torque}
        required={false}
        inputMode="numeric"
        maxLength={12}
        autoComplete="off"
        disabled={job.isOver}
        hint="Stored with the job, in case there are questions later."
      />
      {job.isOver ? null : (
        <button className="btn wide" name="intent" value="save">
          Save
        </button>
      )}
    </JobPanel>
  )
}

const packetFields = [
  ['unit', 20],
  ['driver', 60],
  ['plate', 12],
  ['plateState', 4],
] as const

/** The fleet's vehicle details, entered by its members and corrected at the car. */
export function JobPacket({ job, reply }: Props) {
  const { packet } = job
  if (packet === null) return null
  return (
    <JobPanel id="packet" title="Fleet packet" note="Needed to finish">
      {packetFields.map(([name, maxLength]) => (
        <Field
          key={name}
          name={name}
          label={packetWords[name]}
          reply={reply}
          value={packet[name]}
          maxLength={maxLength}
          autoComplete="off"
          autoCapitalize={name === 'driver' ? 'words' : 'characters'}
          spellCheck={false}
          disabled={job.isOver}
        />
      ))}
    </JobPanel>
  )
}
