export function EnvironmentsScreen() {
  return null;
}
