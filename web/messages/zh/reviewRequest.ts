import type { reviewRequest as en } from '../en/reviewRequest.ts'

export const reviewRequest: typeof en = {
  about: '此域名的变更须经另一人批准。',
  how: '处理方式',
  ways: { request: '申请审核', emergency: '紧急执行，跳过审核' },
  title: '标题',
  titleHelp: '显示在变更申请列表中。',
  reason: '理由',
  reasonHelp: '说明为什么要变更。',
  send: '申请审核',
  sent: '已申请审核',
  part: (title, nth, count) => `${title}（${nth}/${count}）`,
  emergencyAbout: '此域名的其他用户会收到通知，理由会记录在历史和审计日志中。',
  apply: '跳过审核并执行',
}
