import { until } from '../../helpers/until.ts'
import { startReviewedZone } from '../../change-requests/reviewed-zone.ts'

type Options = Parameters<typeof startReviewedZone>[2]

/** A domain like those under review, without a review, and what is done there at a time or unless it is confirmed. */
export async function startLaterZone(t: Parameters<typeof startReviewedZone>[0], options?: Options) {
  const zone = await startReviewedZone(t, 'none', options)
  const { database, domainId, olga } = zone
  const changes = `/api/domains/${domainId}/changes`
  const change = async (id: string) => (await olga.get(`${changes}/${id}`)).body
  return {
    ...zone,
    changes,
    change,
    /** ISO 8601, that many minutes from now. */
    inMinutes: (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString(),
    /** Its time comes: `minutes` ago. */
    comes: (id: string, minutes = 0) => {
      const time = new Date(Date.now() - minutes * 60_000 - 1)
      return database.db
        .updateTable('scheduled_changes')
        .set({ apply_at: time, due_at: time })
        .where('id', '=', id)
        .execute()
    },
    /** The next thing is due: half the time, or with `end` all of it, has passed. */
    passes: (id: string, { end = false, minutes = 0 } = {}) => {
      const time = new Date(Date.now() - minutes * 60_000 - 1)
      return database.db
        .updateTable('confirmations')
        .set({ due_at: time, ...(end && { confirm_by: time }) })
        .where('change_id', '=', id)
        .execute()
    },
    becomes: (id: string, status: string) => until(status, async () => (await change(id)).status === status),
    ends: (id: string, status: string) =>
      until(status, async () => (await change(id)).confirmation?.status === status),
  }
}
