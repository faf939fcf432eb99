import type { domain as en } from '../en/domain.ts'

export const domain: typeof en = {
  tabs: '此域名的页面',
  records: '记录',
  history: '历史',
  changeRequests: '变更申请',
  health: '健康检查',
  sync: '同步',
  mirrors: '镜像',
  access: '权限',
  settings: '设置',
  expires: (day) => `注册有效期至 ${day}`,
  outOfSync: '与服务商不一致',
  status: { active: '正常', expiring: '即将到期', expired: '已过期' },
}
