import type { leaving as en } from '../en/leaving.ts'

export const leaving: typeof en = {
  title: '不保存就离开？',
  text: '此页面上有未保存的修改。',
  leave: '不保存，离开',
}
