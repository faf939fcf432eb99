import { pluralOf } from '../formats.ts'
import type { plan as en } from '../en/plan.ts'

const plural = pluralOf('zh-CN')

export const plan: typeof en = {
  creates: '新增',
  updates: '修改',
  deletes: '删除',
  conflicts: '冲突',
  warnings: '警告',
  none: '没有变更。',
  more: (count) => plural(count, { other: '以及另外 # 项' }),
  schedule: (count) => plural(count, { other: '安排 # 项变更' }),
  scheduled: (when) => `已安排在 ${when} 执行`,
  operation: {
    running: (done, total) => `变更较多：已完成 ${done} / ${total}。将在后台继续执行，结束后会通知您。`,
    succeeded: (done) => `已完成 ${done} 项变更。`,
    partly: (done, total) => `已完成 ${done} / ${total}，详情请查看历史。`,
    failed: () => '未执行任何变更。',
  },
}
