export function RepositoriesScreen() {
  return null;
}
