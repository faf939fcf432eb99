import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { channelKindsQuery } from '../../api/queries/channels.ts'
import type { ConsoleApi } from '../../api/schema.d.ts'
import { useMessages } from '../../ui/language.tsx'

type Kinds = ConsoleApi['/api/notifications/channels']['GET']['answer']

/** Kinds of channels, with translated names except for brands. */
export function useChannelKinds() {
  const { kindNames } = useMessages('channels').channels
  const select = useCallback(
    ({ channels, events }: Kinds): Kinds => ({
      channels: channels.map((kind) => ({ ...kind, name: kindNames[kind.channel] ?? kind.name })),
      events,
    }),
    [kindNames],
  )
  return useQuery({ ...channelKindsQuery, select })
}
